% The car alarm system of [001] as an action system. What the paper's Listing 1 prints is here as printed;
% the rest is ours: README.md says which is which.
% inputs: 'Close', 'Open', 'Lock', 'Unlock'

type(enum_State, X) :- X in 0..7.
type(enum_fromAlarm, X) :- X in 0..6.
type(enum_fromArmed, X) :- X in 0..4.
type(flag, X) :- X in 0..1.
type(int, X) :- X in 0..270.

var([aState], enum_State).
var([fromAlarm], enum_fromAlarm).
var([fromArmed], enum_fromArmed).
var([fromClosedAndLocked_OR_fromSilentAndOpen, flashOn, soundOn], flag).

state_def([aState, fromAlarm, fromArmed, fromClosedAndLocked_OR_fromSilentAndOpen, flashOn, soundOn]).

init([6, 0, 0, 0, 0, 0]).

as :-
  actions (
    'after'(Wait_time)::(true) =>
    (
      ((Wait_time #= 20 #/\ aState #= 3) =>
        (aState := 2; fromClosedAndLocked_OR_fromSilentAndOpen := 1))
      []
      ((Wait_time #= 30 #/\ aState #= 1 #/\ fromArmed #= 4) =>
        (aState := 0; fromAlarm := 4; fromArmed := 0))
      []
      ((Wait_time #= 270 #/\ aState #= 0 #/\ fromAlarm #= 2) =>
        (aState := 7; fromAlarm := 1; fromArmed := 0))
    ),
    'Lock'::(true) =>
    (
      ((aState #= 6 #/\ fromAlarm #= 0) => (aState := 5))
      []
      ((aState #= 4 #/\ fromArmed #\= 1) => (aState := 3; fromArmed := 0))
    ),
    'Unlock'::(true) =>
    (
      ((aState #= 5) => (aState := 6))
      []
      ((aState #= 3) => (aState := 4))
      []
      ((aState #= 2 #/\ fromClosedAndLocked_OR_fromSilentAndOpen #= 0) => (aState := 4; fromArmed := 1))
      []
      ((fromArmed #= 4) => (aState := 6; fromAlarm := 3; fromArmed := 0))
      []
      ((fromArmed #= 3 #/\ flashOn #= 1) => (aState := 6; fromAlarm := 6; fromArmed := 0))
      []
      ((fromArmed #= 3 #/\ soundOn #= 1) => (aState := 6; fromAlarm := 5; fromArmed := 0))
      []
      ((fromAlarm #= 4) => (aState := 6; fromAlarm := 3))
      []
      ((fromAlarm #= 2) => (aState := 6; fromAlarm := 6))
      []
      ((aState #= 7 #/\ fromAlarm #\= 1) => (aState := 6))
      []
      ((aState #= 7 #/\ fromAlarm #= 1) => (aState := 6; fromAlarm := 6))
    ),
    'Close'::(true) =>
    (
      ((aState #= 6 #/\ fromAlarm #= 0) => (aState := 4))
      []
      ((aState #= 5) => (aState := 3))
      []
      ((aState #= 7 #/\ fromAlarm #= 0) => (aState := 2; fromClosedAndLocked_OR_fromSilentAndOpen := 1))
    ),
    'Open'::(true) =>
    (
      ((aState #= 4 #/\ fromArmed #\= 1) => (aState := 6))
      []
      ((aState #= 3) => (aState := 5))
      []
      ((aState #= 2 #/\ fromClosedAndLocked_OR_fromSilentAndOpen #\= 1) => (aState := 1; fromArmed := 2))
    ),
    'AlarmArmed_SetOn'::(true) =>
      ((fromClosedAndLocked_OR_fromSilentAndOpen #= 1) => (fromClosedAndLocked_OR_fromSilentAndOpen := 0)),
    'AlarmArmed_SetOff'::(true) =>
    (
      ((fromArmed #= 1) => (fromArmed := 0))
      []
      ((fromArmed #= 2) => (fromArmed := 3))
    ),
    'OpticalAlarm_SetOn'::(true) =>
    (
      ((fromArmed #= 3 #/\ flashOn #= 0 #/\ soundOn #= 0) => (flashOn := 1))
      []
      ((fromArmed #= 3 #/\ soundOn #= 1) => (flashOn := 1; fromArmed := 4))
    ),
    'AcousticAlarm_SetOn'::(true) =>
    (
      ((fromArmed #= 3 #/\ soundOn #= 0 #/\ flashOn #= 0) => (soundOn := 1))
      []
      ((fromArmed #= 3 #/\ flashOn #= 1) => (soundOn := 1; fromArmed := 4))
    ),
    'OpticalAlarm_SetOff'::(true) =>
    (
      ((fromAlarm #= 1) => (flashOn := 0; fromAlarm := 0))
      []
      ((fromAlarm #= 6) => (flashOn := 0; fromAlarm := 0))
      []
      ((fromAlarm #= 3) => (flashOn := 0; fromAlarm := 5))
    ),
    'AcousticAlarm_SetOff'::(true) =>
    (
      ((fromAlarm #= 4) => (soundOn := 0; fromAlarm := 2))
      []
      ((fromAlarm #= 3) => (soundOn := 0; fromAlarm := 6))
      []
      ((fromAlarm #= 5) => (soundOn := 0; fromAlarm := 0))
    )
  ),
  dood (
    'Lock'
    []
    [X:int]:'after'(X)
    []
    'Unlock'
    []
    'Close'
    []
    'Open'
    []
    'AlarmArmed_SetOn'
    []
    'AlarmArmed_SetOff'
    []
    'OpticalAlarm_SetOn'
    []
    'AcousticAlarm_SetOn'
    []
    'OpticalAlarm_SetOff'
    []
    'AcousticAlarm_SetOff'
  ).
