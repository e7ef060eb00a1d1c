/* A sliding window: examples/classics/sliding_window.seq in Promela. */
#ifndef M
#define M 4
#endif
#ifndef W
#define W 2
#endif
#define SIZE 2
chan data = [SIZE] of { byte };
chan answers = [SIZE] of { byte };

active proctype sender() {
  byte next, open, got;
  xs data; xr answers;
  do
  :: d_step { open < W && nfull(data) -> data!next; next = (next + 1) % M; open++ }
  :: d_step { open > 0 && nempty(answers) -> answers?got; assert(got == (next + M - open) % M); open--; got = 0 }
  od
}

active proctype receiver() {
  byte expected, got;
  xr data; xs answers;
  do
  :: d_step { nempty(data) -> data?got; assert(got == expected); got = 0 };
     d_step { nfull(answers) -> answers!expected; expected = (expected + 1) % M }
  od
}
