-- German's cache coherence protocol: clients ask a home node for shared or exclusive copies of one line.
-- Symmetries: N! (clients). Rumur without symmetry: N = 2: see tests/murphi/test_examples.py.

const
  N: 3;

type
  Node: scalarset(N);
  Cache: enum {Invalid, Shared, Exclusive};
  Request: enum {NoRequest, AskShared, AskExclusive};
  Demand: enum {NoDemand, GiveUp, GrantShared, GrantExclusive};
  Answer: enum {NoAnswer, GaveUp};

var
  cache: array [Node] of Cache;
  ask: array [Node] of Request;       -- client to home
  demand: array [Node] of Demand;     -- home to client
  answer: array [Node] of Answer;     -- client to home
  sharer: array [Node] of boolean;    -- who may have a copy
  pending: array [Node] of boolean;   -- who has still to be told to give up its copy
  is_exclusive: boolean;
  serving: Request;
  served: Node;                       -- undefined while nobody is served

ruleset i: Node do

  rule "ask to read"
    cache[i] = Invalid & ask[i] = NoRequest
  ==>
    ask[i] := AskShared;
  end;

  rule "ask to write"
    cache[i] != Exclusive & ask[i] = NoRequest
  ==>
    ask[i] := AskExclusive;
  end;

  rule "serve"
    serving = NoRequest & ask[i] != NoRequest
  ==>
    serving := ask[i];
    ask[i] := NoRequest;
    served := i;
    for j: Node do pending[j] := sharer[j]; end;
  end;

  rule "demand the copy"
    pending[i] & demand[i] = NoDemand
    & (serving = AskExclusive | serving = AskShared & is_exclusive)
  ==>
    demand[i] := GiveUp;
    pending[i] := false;
  end;

  rule "give the copy up"
    demand[i] = GiveUp & answer[i] = NoAnswer
  ==>
    demand[i] := NoDemand;
    answer[i] := GaveUp;
    cache[i] := Invalid;
  end;

  rule "take the copy back"
    serving != NoRequest & answer[i] = GaveUp
  ==>
    answer[i] := NoAnswer;
    sharer[i] := false;
    is_exclusive := false;
  end;

  rule "grant to read"
    serving = AskShared & !is_exclusive & served = i & demand[i] = NoDemand
  ==>
    demand[i] := GrantShared;
    sharer[i] := true;
    serving := NoRequest;
    undefine served;
  end;

  rule "grant to write"
    serving = AskExclusive & served = i & demand[i] = NoDemand
    & forall j: Node do !sharer[j] end
  ==>
    demand[i] := GrantExclusive;
    sharer[i] := true;
    is_exclusive := true;
    serving := NoRequest;
    undefine served;
  end;

  rule "read"
    demand[i] = GrantShared
  ==>
    cache[i] := Shared;
    demand[i] := NoDemand;
  end;

  rule "write"
    demand[i] = GrantExclusive
  ==>
    cache[i] := Exclusive;
    demand[i] := NoDemand;
  end;

end;

startstate
  for i: Node do
    cache[i] := Invalid;
    ask[i] := NoRequest;
    demand[i] := NoDemand;
    answer[i] := NoAnswer;
    sharer[i] := false;
    pending[i] := false;
  end;
  is_exclusive := false;
  serving := NoRequest;
end;

invariant "one writer, or readers"
  forall i: Node do
    forall j: Node do
      i != j & cache[i] = Exclusive -> cache[j] = Invalid
    end
  end;

liveness "somebody can write again"
  exists i: Node do cache[i] = Exclusive end;
