-- Rates add up to at most 100 % at every door, an account's import among them.
alter table accounts
  add constraint accounts_rates check (cardinality(layer_rates_ppm) <= 10 and 0 <= all (layer_rates_ppm) and 1000000 >= all (layer_rates_ppm)
    and coalesce(layer_rates_ppm[1], 0) + coalesce(layer_rates_ppm[2], 0) + coalesce(layer_rates_ppm[3], 0) + coalesce(layer_rates_ppm[4], 0) + coalesce(layer_rates_ppm[5], 0)
      + coalesce(layer_rates_ppm[6], 0) + coalesce(layer_rates_ppm[7], 0) + coalesce(layer_rates_ppm[8], 0) + coalesce(layer_rates_ppm[9], 0) + coalesce(layer_rates_ppm[10], 0) <= 1000000) not valid;
alter table partners
  add constraint partners_rates check (cardinality(layer_rates_ppm) <= 10 and 0 <= all (layer_rates_ppm) and 1000000 >= all (layer_rates_ppm)
    and coalesce(layer_rates_ppm[1], 0) + coalesce(layer_rates_ppm[2], 0) + coalesce(layer_rates_ppm[3], 0) + coalesce(layer_rates_ppm[4], 0) + coalesce(layer_rates_ppm[5], 0)
      + coalesce(layer_rates_ppm[6], 0) + coalesce(layer_rates_ppm[7], 0) + coalesce(layer_rates_ppm[8], 0) + coalesce(layer_rates_ppm[9], 0) + coalesce(layer_rates_ppm[10], 0) <= 1000000) not valid;
alter table link_blueprints
  add constraint link_blueprints_rates check (cardinality(layer_rates_ppm) <= 10 and 0 <= all (layer_rates_ppm) and 1000000 >= all (layer_rates_ppm)
    and coalesce(layer_rates_ppm[1], 0) + coalesce(layer_rates_ppm[2], 0) + coalesce(layer_rates_ppm[3], 0) + coalesce(layer_rates_ppm[4], 0) + coalesce(layer_rates_ppm[5], 0)
      + coalesce(layer_rates_ppm[6], 0) + coalesce(layer_rates_ppm[7], 0) + coalesce(layer_rates_ppm[8], 0) + coalesce(layer_rates_ppm[9], 0) + coalesce(layer_rates_ppm[10], 0) <= 1000000) not valid;
