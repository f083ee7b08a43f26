alter table sales validate constraint sales_test_lead_fkey;
alter table sales validate constraint sales_test_is_no_money;
