// The four phases of a handshake: request up, answer up, request down, answer down; the datum is taken on the way up.
module top(input clk, input send, input d, input ready, output ack, output q);
  reg req = 0, answer = 0, held = 0, taken = 0;
  assign ack = answer;
  assign q = taken;
  always @(posedge clk) begin
    if (!req && !answer && send) begin
      req <= 1;
      held <= d;
    end else if (req && answer) req <= 0;
    if (req && !answer && ready) begin
      answer <= 1;
      taken <= held;
    end else if (!req && answer) answer <= 0;
  end
endmodule
