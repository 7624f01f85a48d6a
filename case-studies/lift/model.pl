% A lift for five floors as an action system, written for this project.
% inputs: call

type(floor, X) :- X in 0..4.
type(motion, X) :- X in 0..2.
type(flag, X) :- X in 0..1.

var([at, goal], floor).
% 0: stands, 1: goes up, 2: goes down
var([motion], motion).
var([called, door], flag).

state_def([at, goal, motion, called, door]).

init([0, 0, 0, 0, 0]).

as :-
  actions (
    % The next call is taken when the last one is served.
    call(F)::(called #= 0 #/\ door #= 0) => (goal := F; called := 1),
    start::(called #= 1 #/\ motion #= 0 #/\ door #= 0) =>
    (
      ((at #< goal) => (motion := 1))
      []
      ((at #> goal) => (motion := 2))
    ),
    % The floors that it passes are announced.
    floor(F)::(motion #\= 0) =>
    (
      ((motion #= 1 #/\ at #\= goal #/\ F #= at + 1) => (at := F))
      []
      ((motion #= 2 #/\ at #\= goal #/\ F #= at - 1) => (at := F))
    ),
    stop::(motion #\= 0 #/\ at #= goal) => (motion := 0),
    open::(called #= 1 #/\ motion #= 0 #/\ at #= goal #/\ door #= 0) => (door := 1),
    close::(door #= 1) => (door := 0; called := 0)
  ),
  dood (
    [F:floor]:call(F)
    []
    start
    []
    [F:floor]:floor(F)
    []
    stop
    []
    open
    []
    close
  ).
