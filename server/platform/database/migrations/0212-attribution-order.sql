-- Which of the two counts if a payment has a click of one partner and a promotion code of another.
alter table accounts add column attribution_order text not null default 'click-first'
  check (attribution_order in ('click-first', 'code-first'));
