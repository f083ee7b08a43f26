import { declareTables, emptyColumns, MACHINE, placeOnFirst } from '../../platform/database/declare-tables.ts'
import { joinTexts } from '../../platform/database/erased-rows.ts'
import { sql } from '../../platform/database/sql.ts'

const RAW_MAIL = joinTexts('t.subject', 't.text', 't.reason')

declareTables({
  mails: {
    columns: 'id name kind state tries last_tried_at created_at account_id',
    personal: [
      emptyColumns('lead', 'subject text reason'),
      emptyColumns('partner', 'subject text reason'),
      emptyColumns('partner', 'email', `'erased@erased.invalid'`),
    ],
    place: placeOnFirst('mails go to people, who may have many accounts'),
    exported: 'mails of this install',
    erased: {
      lead: ({ search }, { saysOrNames }) => ({
        // leads get no mails: one to this address is another person's, such as a partner's
        which: sql`(${saysOrNames(RAW_MAIL)}
        and not t.email = any(${search.values.map((value) => value.toLowerCase())}))`,
        scanned: true,
      }),
      partner: ({ search, unusedEmails, readAt }, { saysOrNames }) => [
        {
          which: sql`(t.email = any(${search.values}) or ${saysOrNames(RAW_MAIL)})`,
          own: sql`t.email = any(${search.values})`,
          scanned: true,
        },
        // about signing in, unless the address is another person's by now
        {
          which: sql`(t.account_id is null and t.email = any(${unusedEmails}) and t.created_at <= ${readAt})`,
          scanned: true,
          ofNoAccount: true,
        },
      ],
    },
  },
  mail_counts: {
    columns: 'key names forget_at',
    place: placeOnFirst('mails are counted by address'),
    exported: 'mails of this install',
  },
  mail_days: { columns: 'account_id done_on', exported: MACHINE },
  mail_news: {
    columns: 'id account_id partner_id kind subject_id occasion created_at mail_id mailed_at',
    exported: MACHINE,
  },
})
