alter table accounts validate constraint accounts_rates;
alter table partners validate constraint partners_rates;
alter table link_blueprints validate constraint link_blueprints_rates;
