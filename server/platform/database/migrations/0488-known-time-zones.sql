-- Time zones that browsers know and PostgreSQL does not fail every statement over all accounts. Abbreviations that
-- PostgreSQL has, such as PST, stay: days were reckoned with them.
update accounts a set time_zone = zones.name
from (values
  ('ACT', 'Australia/Darwin'), ('AET', 'Australia/Sydney'), ('AGT', 'America/Argentina/Buenos_Aires'),
  ('ART', 'Africa/Cairo'), ('BET', 'America/Sao_Paulo'), ('CAT', 'Africa/Maputo'), ('CNT', 'America/St_Johns'),
  ('CTT', 'Asia/Shanghai'), ('EAT', 'Africa/Nairobi'), ('ECT', 'Europe/Paris'),
  ('IET', 'America/Indiana/Indianapolis'), ('MIT', 'Pacific/Apia'), ('NET', 'Asia/Yerevan'),
  ('NST', 'Pacific/Auckland'), ('PLT', 'Asia/Karachi'), ('PNT', 'America/Phoenix'), ('PRT', 'America/Puerto_Rico'),
  ('SST', 'Pacific/Guadalcanal'), ('VST', 'Asia/Ho_Chi_Minh'), ('US/Pacific-New', 'America/Los_Angeles'),
  ('Canada/East-Saskatchewan', 'America/Regina'), ('SystemV/AST4', 'America/Puerto_Rico'),
  ('SystemV/AST4ADT', 'America/Halifax'), ('SystemV/EST5', 'America/Panama'), ('SystemV/EST5EDT', 'America/New_York'),
  ('SystemV/CST6', 'America/Regina'), ('SystemV/CST6CDT', 'America/Chicago'), ('SystemV/MST7', 'America/Phoenix'),
  ('SystemV/MST7MDT', 'America/Denver'), ('SystemV/PST8', 'Pacific/Pitcairn'),
  ('SystemV/PST8PDT', 'America/Los_Angeles'), ('SystemV/YST9', 'Pacific/Gambier'),
  ('SystemV/YST9YDT', 'America/Anchorage'), ('SystemV/HST10', 'Pacific/Honolulu')) as zones (unknown, name)
where a.time_zone = zones.unknown
  and not exists (select from pg_timezone_names z where z.name = a.time_zone)
  and not exists (select from pg_timezone_abbrevs z where z.abbrev = a.time_zone);
