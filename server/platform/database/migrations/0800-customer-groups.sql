-- Groups of customers who refer others. `reward` is how they are given what they earn; a payout has it as its approval
-- fixed it.
alter table groups add column kind text not null default 'partners' check (kind in ('partners', 'customers'));
alter table groups add column reward jsonb;
alter table groups add column automatic boolean not null default false;
alter table groups add constraint groups_reward_check check ((kind = 'customers') = (reward is not null)) not valid;
alter table groups add constraint groups_default_kind_check check (id <> account_id or kind = 'partners') not valid;
alter table payouts add column reward jsonb;
alter table payouts drop constraint payouts_method_check;
alter table payouts add constraint payouts_method_check
  check (method in ('wise', 'paypal', 'sepa', 'units', 'manual', 'csv')) not valid;
alter table api_keys drop constraint api_keys_rights;
alter table api_keys add constraint api_keys_rights
  check (cardinality(rights) > 0 and rights <@ '{push,read,partners,payouts,rewards}') not valid;
