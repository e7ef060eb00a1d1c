-- A directory keeps track of who has copies of one line in which of the states of MESI; messages take their time.
-- Symmetries: N! (caches).

const
  N: 3;

type
  Node: scalarset(N);
  Line: enum {M, E, S, I};
  Kind: enum {GetS, GetM, PutBack};
  Message: record
    used: boolean;
    kind: Kind;
  end;

var
  line: array [Node] of Line;
  waits: array [Node] of boolean;
  request: array [Node] of Message;  -- to the directory, one from each cache
  sharers: array [Node] of boolean;
  owner: Node;                       -- undefined if there is none

function is_shared(): boolean;
begin
  return exists n: Node do sharers[n] end;
end;

procedure send(n: Node; kind: Kind);
begin
  assert "one request at a time" !request[n].used;
  request[n].used := true;
  request[n].kind := kind;
  waits[n] := true;
end;

procedure consume(n: Node);
begin
  request[n].used := false;
  undefine request[n].kind;
  waits[n] := false;
end;

procedure take_back();
begin
  if !isundefined(owner) then
    line[owner] := I;
    undefine owner;
  end;
  for n: Node do
    if sharers[n] then line[n] := I; end;
    sharers[n] := false;
  end;
end;

ruleset n: Node do

  rule "read" line[n] = I & !waits[n] ==>
    send(n, GetS);
  end;

  rule "write" (line[n] = I | line[n] = S) & !waits[n] ==>
    send(n, GetM);
  end;

  rule "write silently" line[n] = E & !waits[n] ==>
    line[n] := M;
  end;

  rule "evict" (line[n] = E | line[n] = M) & !waits[n] ==>
    send(n, PutBack);
  end;

  rule "drop" line[n] = S & !waits[n] ==>
    line[n] := I;
    sharers[n] := false;
  end;

  rule "directory" request[n].used ==>
  begin
    switch request[n].kind
    case GetS:
      if !isundefined(owner) then
        line[owner] := S;
        sharers[owner] := true;
        undefine owner;
      end;
      if is_shared() then
        line[n] := S;
        sharers[n] := true;
      else
        line[n] := E;
        owner := n;
      end;
    case GetM:
      take_back();
      line[n] := M;
      owner := n;
    case PutBack:
      if !isundefined(owner) & owner = n then
        line[n] := I;
        undefine owner;
      end;
    end;
    consume(n);
  end;

end;

startstate
  for n: Node do
    line[n] := I;
    waits[n] := false;
    request[n].used := false;
    sharers[n] := false;
  end;
end;

invariant "one writer, or readers"
  forall n: Node do
    line[n] = M | line[n] = E -> forall o: Node do o = n | line[o] = I end
  end;

invariant "the directory knows"
  forall n: Node do
    (line[n] = S -> sharers[n])
    & (line[n] = M | line[n] = E -> !isundefined(owner) & owner = n)
  end;
