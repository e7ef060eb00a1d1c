/* A pipeline that sorts: examples/classics/sorting_pipeline.seq in Promela. */
#ifndef N
#define N 5
#endif
#define SIZE 3
chan channel[N] = [SIZE] of { byte };
chan nowhere = [1] of { byte };
byte kept[N];
byte finished = 0;

proctype sorter(byte i; byte last; chan in; chan out) {
  byte mine, got, passed, swap;
  xr in; xs out;
  in?mine;
  do
  :: passed < last ->
     in?got;
     d_step {
       if
       :: got > mine -> swap = mine; mine = got; got = swap; swap = 0
       :: else
       fi;
       passed++
     };
     out!got;
     got = 0
  :: else -> break
  od;
  atomic { kept[i] = mine; finished++ }
}

init {
  byte k = 0, sent = 0;
  atomic {
    do
    :: k < N -> run sorter(k, N - 1 - k, channel[k], (k == N - 1 -> nowhere : channel[(k + 1) % N])); k++
    :: else -> break
    od; k = 0
  };
  do
  :: sent < N -> channel[0]!((2 * sent) % N + 1); sent++
  :: else -> break
  od;
  finished == N;
  do
  :: k < N -> assert(kept[k] == N - k); k++
  :: else -> break
  od
}
