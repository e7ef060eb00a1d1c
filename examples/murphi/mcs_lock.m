-- The queue lock of Mellor-Crummey and Scott: those who wait form a list, and each waits for its own flag.
-- Symmetries: N! (processes).

const
  N: 3;

type
  Process: scalarset(N);
  Nobody: enum {nobody};
  Link: union {Process, Nobody};
  Step: enum {idle, swap, link, wait, critical, leave, compare, hand_over};

var
  at: array [Process] of Step;
  next: array [Process] of Link;
  before: array [Process] of Link;
  must_wait: array [Process] of boolean;
  tail: Link;

procedure rest(p: Process);
begin
  before[p] := nobody;
  next[p] := nobody;
  at[p] := idle;
end;

ruleset p: Process do

  rule "begin" at[p] = idle ==>
    next[p] := nobody;
    at[p] := swap;
  end;

  rule "join the queue" at[p] = swap ==>
    before[p] := tail;
    tail := p;
    at[p] := before[p] = nobody ? critical : link;
  end;

  rule "link" at[p] = link ==>
    must_wait[p] := true;
    alias q: before[p] do
      if ismember(q, Process) then next[q] := p; end;
    end;
    at[p] := wait;
  end;

  rule "wait" at[p] = wait & !must_wait[p] ==>
    at[p] := critical;
  end;

  rule "leave" at[p] = critical ==>
    at[p] := next[p] = nobody ? compare : hand_over;
  end;

  rule "compare and swap" at[p] = compare ==>
    if tail = p then
      tail := nobody;
      rest(p);
    else
      at[p] := leave;
    end;
  end;

  rule "see who came" at[p] = leave & next[p] != nobody ==>
    at[p] := hand_over;
  end;

  rule "hand over" at[p] = hand_over ==>
    alias q: next[p] do
      if ismember(q, Process) then must_wait[q] := false; end;
    end;
    rest(p);
  end;

end;

startstate
  for p: Process do
    rest(p);
    must_wait[p] := false;
  end;
  tail := nobody;
end;

invariant "mutual exclusion"
  forall p: Process do
    forall q: Process do
      at[p] = critical & at[q] = critical -> p = q
    end
  end;
