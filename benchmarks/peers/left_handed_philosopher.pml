/* Dining philosophers, the first of them left-handed: examples/liveness/left_handed_philosopher.seq, one step for each rule */
#ifndef N
#define N 10
#endif
bit taken[N];
#define FIRST (_pid == 0 -> 0 : (_pid + 1) % N)
#define SECOND (_pid == 0 -> 1 : _pid)

active [N] proctype P() {
thinking:
  do
  :: d_step { !taken[FIRST] -> taken[FIRST] = 1 };
holding_one:
     d_step { !taken[SECOND] -> taken[SECOND] = 1 };
hungry:
     true;
fed:
     taken[FIRST] = 0;
leaving:
     taken[SECOND] = 0
  od
}

ltl finishes_meal { [] (P[0]@hungry -> <> P[0]@thinking) }
ltl everybody_eats { [] <> P[0]@fed }
#if N == 8
#define SOMEBODY_FED (P[0]@fed || P[1]@fed || P[2]@fed || P[3]@fed || P[4]@fed || P[5]@fed || P[6]@fed || P[7]@fed)
#elif N == 10
#define SOMEBODY_FED (P[0]@fed || P[1]@fed || P[2]@fed || P[3]@fed || P[4]@fed || P[5]@fed || P[6]@fed || P[7]@fed || P[8]@fed || P[9]@fed)
#elif N == 12
#define SOMEBODY_FED (P[0]@fed || P[1]@fed || P[2]@fed || P[3]@fed || P[4]@fed || P[5]@fed || P[6]@fed || P[7]@fed || P[8]@fed || P[9]@fed || P[10]@fed || P[11]@fed)
#endif
ltl somebody_eats { [] <> SOMEBODY_FED }
