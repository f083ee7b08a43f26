-- What each partner sold in a month: rankings of a year read these instead of every day of every partner.
create table month_stats (
  account_id uuid not null references accounts (id),
  month date not null check (extract(day from month) = 1),
  partner_id uuid not null,
  sales bigint not null default 0,
  revenue bigint not null default 0,
  primary key (account_id, month, partner_id)
) with (fillfactor = 70);

insert into month_stats (account_id, month, partner_id, sales, revenue)
select account_id, date_trunc('month', day::timestamp)::date, partner_id, sum(sales), sum(revenue) from day_stats
where blueprint_id = '00000000-0000-0000-0000-000000000000' and partner_id <> '00000000-0000-0000-0000-000000000000'
group by 1, 2, 3 having bool_or(sales <> 0 or revenue <> 0)
order by 1, 2, 3;
