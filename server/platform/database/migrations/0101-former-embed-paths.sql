-- Names that an account's script had before: pages out there still load it by them, so that they stay the account's.
alter table embed_codes add column former_paths text[] not null default '{}';
create index embed_codes_by_former_path on embed_codes using gin (former_paths);
