/* Leader election in a one-way ring: examples/classics/ring_election.seq in Promela. */
#ifndef N
#define N 5
#endif
chan link[N] = [2] of { byte };
byte leaders = 0;

proctype node(byte i; byte number; chan in; chan out) {
  byte got;
  xr in; xs out;
end0: out!number;
end: do
  :: in?got ->
     if
     :: got > number -> out!got
     :: got < number
     :: got == number -> leaders++; assert(leaders <= 1); goto led
     fi;
     got = 0
  od;
led: skip
}

init {
  byte k = 0;
  atomic {
    do
    :: k < N -> run node(k, (2 * k + 1) % N, link[k], link[(k + 1) % N]); k++
    :: else -> break
    od
  }
}
