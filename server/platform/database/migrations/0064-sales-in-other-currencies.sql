-- Which currencies an account has sales in beside its own, and the latest day of each.
create index sales_in_other_currencies on sales (account_id, currency, sale_date) where currency <> account_currency;
