-- How much of a void commission its partner kept until they were reinstated; null while the balance is void. A payout that is
-- paid after all then still pays what was void.
alter table voided_commissions add column kept_before bigint;
alter table voided_lead_pay add column kept_before bigint;

-- Its entries were void when its partner was reinstated.
alter table payouts add column was_void boolean not null default false;
