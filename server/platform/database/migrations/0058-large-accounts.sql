-- What a balance asks of sales: which few set aside what they earned.
create index sales_setting_aside on sales (account_id, id) where disputed or hold_rule is not null or status = 'void';
