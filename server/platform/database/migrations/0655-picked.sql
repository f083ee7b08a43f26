-- the elements that the owner picked on the checked page
alter table embed_checks add column picked jsonb;
