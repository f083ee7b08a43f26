-- Networks at which the people of partners were signed in, by their hash of that day, as clicks have it.
create table member_visits (
  account_id uuid not null,
  partner_id uuid not null,
  visitor_hash bigint not null,
  user_id uuid not null,
  day date not null,
  primary key (account_id, partner_id, visitor_hash, user_id)
);
create index member_visits_by_user on member_visits (user_id);
create index member_visits_by_day on member_visits (day);
select place_with_account('member_visits');
alter table member_visits add foreign key (account_id, partner_id) references partners (account_id, id)
  on delete cascade;
