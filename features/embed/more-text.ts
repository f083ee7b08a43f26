import type { Word } from '#contract/format.ts'

/** The words of what a site may do beyond pasting its code. */
export const embedMoreWords = {
  inYourCode: 'Use the referral in your code',
  inYourCodeHelp: {
    ready:
      'In the browser, for a checkout or a sign-up without a form. It’s called once, with null without a referral:',
    cookie: 'On your server, pass the cookie as it is, as client_reference_id, in metadata or as clickId:',
    field: 'In a form that your own system receives:',
    consent: 'From your consent banner, before or after the code has loaded:',
  },
  inYourCodeNames: { ready: 'call', cookie: 'cookie', field: 'field', consent: 'consent' },
  copyExample: ({ name }: { name: Word }) => `Copy ${name}`,

  ownDomain: 'Serve it from your own domain',
  ownDomainWhy:
    'Ad blockers won’t block it, and Safari keeps the referral for the full window instead of 7 days. Proxy these paths from your site:',
  ownDomainTag: 'Then paste this instead:',
  ownDomainProxy:
    'Ask the operator of this server to add your server’s address to TRUST_PROXY. Otherwise all your visitors count as one.',
  copySettings: 'Copy settings',
  copyOwnTag: 'Copy this code',
  site: 'Your Server',
  sites: { nginx: 'nginx', caddy: 'Caddy', next: 'Next.js', cloudflare: 'Cloudflare Workers' },
}
