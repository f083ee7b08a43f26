import { sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

export const applicationChecks: Checks = {
  'an approved application has one partner of its account, and no partner has two': sql`
    select a.id::text as subject, 'a partner of its own' as expected,
      case when p.id is null then 'none' else 'one of several' end as actual
    from applications a left join partners p on p.account_id = a.account_id and p.id = a.partner_id
    where (a.status = 'approved' or a.partner_id is not null) and (p.id is null or a.status <> 'approved'
      or exists (select from applications o
        where o.account_id = a.account_id and o.partner_id = a.partner_id and o.id <> a.id))`,
  'an acceptance names a version of the agreement, and its text': sql`
    select c.partner_id::text || ', version ' || c.version as subject, coalesce(v.text_sha256, 'a version') as expected,
      c.text_sha256 as actual
    from agreement_acceptances c
      left join (
        select account_id, version, language, text_sha256 from agreement_versions
        union all select account_id, version, language, text_sha256 from agreement_translations
      ) v on v.account_id = c.account_id and v.version = c.version and v.language = c.language
    where v.text_sha256 is distinct from c.text_sha256
    union all
    select v.account_id::text || ', version ' || v.version, encode(sha256(convert_to(v.text, 'UTF8')), 'hex'), v.text_sha256
    from (
      select account_id, version, text, text_sha256 from agreement_versions
      union all select account_id, version, text, text_sha256 from agreement_translations) v
    where v.text_sha256 <> encode(sha256(convert_to(v.text, 'UTF8')), 'hex')`,
}
