-- Whether an account has a group of customers, so that calls on all others do not ask for one.
alter table accounts add column has_customer_groups boolean not null default false;
update accounts a set has_customer_groups = true
where a.id in (select account_id from groups where kind = 'customers' and deleted_at is null);
