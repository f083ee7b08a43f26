-- The sale whose commission an adjustment settles, or takes the settlement of back: it was paid before its account came here.
alter table commission_entries add column settles_sale_id uuid;
alter table commission_entries add foreign key (account_id, settles_sale_id) references sales (account_id, id);
alter table commission_entries add check (settles_sale_id is null or kind = 'adjustment');
create index commission_entries_settling on commission_entries (settles_sale_id) where settles_sale_id is not null;
