import { PICTURE_BYTES, PICTURES_BYTES } from '#contract/pictures.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

export const pictureChecks: Checks = {
  'a picture is the one that its hash is of': sql`
    select id::text as subject, sha256 as expected, encode(sha256(bytes), 'hex') as actual
    from files where sha256 <> encode(sha256(bytes), 'hex')`,

  'the pictures of an account have no more bytes than they may': sql`
    select account_id::text as subject, ${`at most ${PICTURES_BYTES}`} as expected, sum(length(bytes))::text as actual
    from files group by account_id having sum(length(bytes)) > ${PICTURES_BYTES}
    union all
    select f.id::text, 'at most ' || most.bytes, length(f.bytes)::text
    from files f join (values ('logo', ${PICTURE_BYTES.logo}::integer), ('cover', ${PICTURE_BYTES.cover}::integer)) most (purpose, bytes)
      on most.purpose = f.purpose and length(f.bytes) > most.bytes`,

  'each picture has its address, and belongs to one asset or is the logo or the cover': sql`
    select f.id::text as subject, 'an address and a purpose' as expected,
      concat_ws(' ', case when k.key is null then 'no address' end, case when f.purpose = 'asset' and a.id is null then 'no asset' end)
        as actual
    from files f
      left join file_keys k on k.key = f.key and k.account_id = f.account_id
      left join assets a on a.account_id = f.account_id and a.file_id = f.id
    where k.key is null or (f.purpose = 'asset') <> (a.id is not null)`,
}
