alter table groups validate constraint groups_reward_check;
alter table groups validate constraint groups_default_kind_check;
alter table payouts validate constraint payouts_method_check;
alter table api_keys validate constraint api_keys_rights;
