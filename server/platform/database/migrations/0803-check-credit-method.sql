alter table payouts validate constraint payouts_method_check;
