// A car alarm without time: it arms when it is shut and locked; opening it then sets it off until it is unlocked.
module top(input clk, input [1:0] act, output armed, output flash, output sound);
  localparam OPEN = 0, CLOSE = 1, LOCK = 2, UNLOCK = 3;
  reg is_open = 1, is_locked = 0, alarm = 0, quiet = 0;
  assign armed = !is_open && is_locked && !alarm;
  assign flash = alarm;
  assign sound = alarm && !quiet;
  always @(posedge clk) begin
    is_open <= act == OPEN ? 1 : act == CLOSE ? 0 : is_open;
    is_locked <= act == LOCK ? 1 : act == UNLOCK ? 0 : is_locked;
    if (act == UNLOCK) alarm <= 0;
    else if (armed && act == OPEN) alarm <= 1;
    quiet <= alarm && (quiet || act == CLOSE);
  end
endmodule
