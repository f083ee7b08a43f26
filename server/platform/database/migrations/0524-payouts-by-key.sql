-- Keys with the right to mark approved payouts as paid.
alter table api_keys drop constraint api_keys_rights;
alter table api_keys add constraint api_keys_rights
  check (cardinality(rights) > 0 and rights <@ '{push,read,partners,payouts}');
