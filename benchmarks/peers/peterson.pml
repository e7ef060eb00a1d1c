/* Peterson's algorithm for N processes, who may stay idle: examples/liveness/peterson.seq, one step for each of its rules */
#ifndef N
#define N 4
#endif
#define NOBODY 255
byte room[N];
byte turn[N] = NOBODY;  /* index 1..N-1 used */

#define BEHIND(x) (x == _pid || room[x] < room[_pid])
#if N == 3
#define ALL_BEHIND (BEHIND(0) && BEHIND(1) && BEHIND(2))
#elif N == 4
#define ALL_BEHIND (BEHIND(0) && BEHIND(1) && BEHIND(2) && BEHIND(3))
#elif N == 5
#define ALL_BEHIND (BEHIND(0) && BEHIND(1) && BEHIND(2) && BEHIND(3) && BEHIND(4))
#endif
#define MAY_PASS (turn[room[_pid]] != _pid || ALL_BEHIND)

active [N] proctype P() {
idle:
  if
  :: room[_pid] == 0 -> goto idle  /* true here; Spin takes no unconditional self-loop */
  :: true -> goto ready
  fi;
ready:
  room[_pid] = room[_pid] + 1;
moved:
  turn[room[_pid]] = _pid;
waiting:
  if
  :: MAY_PASS && room[_pid] < N-1 -> goto ready
  :: MAY_PASS && room[_pid] == N-1 -> goto critical
  fi;
critical:
  room[_pid] = 0;
  goto idle
}

ltl served { [] (P[0]@ready -> <> P[0]@critical) }
