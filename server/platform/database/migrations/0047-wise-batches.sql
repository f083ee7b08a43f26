-- To which recipient of which Wise profile a payout stands in a batch file, which its owner uploads at Wise by hand.
create table wise_batch_payouts (
  payout_id uuid primary key references payouts (id),
  profile_id text not null,
  recipient_id text not null,
  exported_at timestamptz(3) not null
);
