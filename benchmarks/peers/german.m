-- German's cache coherence protocol: N clients, one line, D different data. The text beside it: examples/classics/german.seq
const N: 5; D: 2;
type Client: scalarset(N); Data: scalarset(D);
  Copy: enum { invalid, shared, exclusive };
  Request: enum { no_request, want_shared, want_exclusive };
  Order: enum { no_order, invalidate, grant_shared, grant_exclusive };
var copy: array[Client] of Copy; content, sent, returned: array[Client] of Data;
  request: array[Client] of Request; order: array[Client] of Order;
  acknowledged, sharers, to_invalidate: array[Client] of boolean;
  serves: Client; serving: Request; exclusive_granted: boolean; memory, latest: Data;
ruleset d: Data do startstate begin
  for i: Client do
    copy[i] := invalid; undefine content[i]; undefine sent[i]; undefine returned[i];
    request[i] := no_request; order[i] := no_order;
    acknowledged[i] := false; sharers[i] := false; to_invalidate[i] := false;
  end;
  undefine serves; serving := no_request; exclusive_granted := false; memory := d; latest := d;
end; end;
ruleset i: Client do
  ruleset d: Data do rule "store" copy[i] = exclusive ==> begin content[i] := d; latest := d; end; end;
  rule "ask_shared" request[i] = no_request & copy[i] = invalid ==> begin request[i] := want_shared; end;
  rule "ask_exclusive" request[i] = no_request & copy[i] != exclusive ==> begin request[i] := want_exclusive; end;
  rule "serve" serving = no_request & request[i] != no_request ==> begin
    serving := request[i]; serves := i; request[i] := no_request;
    for j: Client do to_invalidate[j] := sharers[j]; end; end;
  rule "send_invalidate" order[i] = no_order & to_invalidate[i]
      & (serving = want_exclusive | (serving = want_shared & exclusive_granted)) ==> begin
    order[i] := invalidate; to_invalidate[i] := false; end;
  rule "acknowledge" order[i] = invalidate & !acknowledged[i] ==> begin
    order[i] := no_order; acknowledged[i] := true;
    if copy[i] = exclusive then returned[i] := content[i]; end;
    copy[i] := invalid; undefine content[i]; end;
  rule "receive_acknowledgement" acknowledged[i] & serving != no_request ==> begin
    acknowledged[i] := false; sharers[i] := false;
    if exclusive_granted then exclusive_granted := false; memory := returned[i]; undefine returned[i]; end; end;
  rule "grant_shared_copy" serving = want_shared & serves = i & order[i] = no_order & !exclusive_granted ==> begin
    order[i] := grant_shared; sent[i] := memory; sharers[i] := true; serving := no_request; undefine serves; end;
  rule "grant_exclusive_copy" serving = want_exclusive & serves = i & order[i] = no_order & !exclusive_granted
      & (forall j: Client do !sharers[j] end) ==> begin
    order[i] := grant_exclusive; sent[i] := memory; sharers[i] := true; exclusive_granted := true;
    serving := no_request; undefine serves; end;
  rule "receive_copy" order[i] = grant_shared | order[i] = grant_exclusive ==> begin
    if order[i] = grant_shared then copy[i] := shared; else copy[i] := exclusive; end;
    content[i] := sent[i]; order[i] := no_order; undefine sent[i]; end;
end;
invariant "coherent"
  forall i: Client do forall j: Client do (i != j & copy[i] = exclusive) -> copy[j] = invalid end end;
