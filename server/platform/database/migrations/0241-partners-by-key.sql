-- Keys with the right to manage partners, who have an id of the owner's own system.
alter table api_keys drop constraint api_keys_rights_check;
alter table api_keys add constraint api_keys_rights
  check (cardinality(rights) > 0 and rights <@ '{push,read,partners}');
alter table partners add column external_id text check (length(external_id) between 1 and 100);
