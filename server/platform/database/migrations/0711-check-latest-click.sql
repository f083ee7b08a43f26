alter table sales validate constraint sales_latest_click;
alter table sales validate constraint sales_latest_click_whose;
