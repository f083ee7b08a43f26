import type * as room from '../clicks.ts'
import type { ExamplesOf } from './example.ts'
import { blueprint, click, link, partner } from './objects.ts'

export const clicks: ExamplesOf<typeof room> = {
  pushClicks: {
    refused: ['click_in_future', 'click_too_old', 'link_disabled', 'no_active_partner_has_code', 'unknown_link'],
    body: {
      blueprintKey: blueprint.key,
      referralCode: partner.referralCode,
      url: link.url,
      referrer: 'https://blog.whitfield.example/tools',
      ip: '203.0.113.80',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
      at: click.at,
    },
    reply: click,
  },
}
