-- What was voided with an archived partner's balance, by sale: of what it earns them they keep so much and no more,
-- whatever refunds and corrections take or give later, also when the partner is back.
create table voided_commissions (
  account_id uuid not null,
  sale_id uuid not null,
  partner_id uuid not null,
  kept bigint not null,
  primary key (account_id, sale_id, partner_id),
  foreign key (account_id, sale_id) references sales (account_id, id),
  foreign key (account_id, partner_id) references partners (account_id, id)
);
