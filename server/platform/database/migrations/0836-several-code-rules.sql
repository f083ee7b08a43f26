-- Up to five rules by which a provider's account makes codes, each for some groups or all; the first that fits makes a
-- partner's code. `code_rule` stays the first of them for a server of the release before.
alter table provider_shops add column code_rules jsonb not null default '[]';
update provider_shops set code_rules = jsonb_build_array(code_rule) where code_rule is not null;
