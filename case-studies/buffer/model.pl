% A buffer that holds up to two numbers, first in, first out, as an action system, written for this project. The numbers are
% values of parameters that flow into the state, and out of it again.
% inputs: put, get

type(value, X) :- X in 0..3.
type(size, X) :- X in 0..2.
type(flag, X) :- X in 0..1.

var([first, second], value).
var([size], size).
var([asked], flag).

state_def([first, second, size, asked]).

init([0, 0, 0, 0]).

as :-
  actions (
    put(X)::(asked #= 0) =>
    (
      ((size #= 0) => (first := X; size := 1))
      []
      ((size #= 1) => (second := X; size := 2))
    ),
    get::(asked #= 0 #/\ size #> 0) => (asked := 1),
    % The first number goes out, the second moves up.
    out(X)::(asked #= 1 #/\ X #= first) => (first := second; second := 0; size := size - 1; asked := 0),
    % A full buffer says so, before it is asked.
    full::(size #= 2 #/\ asked #= 0) => (asked := 0)
  ),
  dood (
    [X:value]:put(X)
    []
    get
    []
    [X:value]:out(X)
    []
    full
  ).
