// A machine that takes coins of 1 and 2, sells for 3 and gives 1 back.
module top(input clk, input coin1, input coin2, output sells, output back);
  reg [1:0] credit = 0;
  wire [2:0] sum = credit + (coin1 ? 1 : 0) + (coin2 ? 2 : 0);
  assign sells = sum >= 3;
  assign back = sum == 4 || sum == 5;
  always @(posedge clk) credit <= sells ? (sum == 5 ? 1 : 0) : sum;
endmodule
