/* A pipeline that sorts: examples/classics/sorting_pipeline.seq in Promela. What a process does between two messages
 * touches nothing of others, and sending is not part of it, so that Spin can do all of it at once. */
#ifndef N
#define N 5
#endif
#define SIZE 3
chan channel[N] = [SIZE] of { byte };
chan nowhere = [1] of { byte };

proctype sorter(byte i; byte last; chan in; chan out) {
  byte kept, got, passed;
  xr in; xs out;
  in?kept;
  do
  :: passed < last ->
     in?got;
     d_step {
       if
       :: got > kept -> kept = kept + got; got = kept - got; kept = kept - got
       :: else
       fi;
       passed++
     };
     out!got
  :: else -> break
  od;
  assert(kept == N - i)
}

init {
  byte k = 0, sent = 0;
  atomic {
    do
    :: k < N -> run sorter(k, N - 1 - k, channel[k], (k == N - 1 -> nowhere : channel[(k + 1) % N])); k++
    :: else -> break
    od;
    k = 0
  };
  do
  :: sent < N -> channel[0]!((2 * sent) % N + 1); sent++
  :: else -> break
  od
}
