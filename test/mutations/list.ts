// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are pieces of the code, which holds template strings

type Change = { text: string; by: string }
/**
 * A rule of the product and a change that breaks it: `text` becomes `by` throughout the file. `also` breaks a second
 * check of the same rule.
 */
export type Mutation = Change & { rule: string; file: string; also?: Change; tests: string[] }

const program = (path: string) => `server/program/${path}`
const SALES = ['record-sale', 'ledger.property', 'ledger.property.slow'].map((name) => program(`sales/${name}.test.ts`))
const EARNINGS = [program('terms/plan.test.ts'), ...SALES]
const PAYOUTS = [program('payouts/payouts.test.ts'), program('payouts/binding.test.ts')]
const outgoing = (path: string) => `server/integrations/outgoing-webhooks/${path}`
const incoming = (path: string) => `server/integrations/incoming-webhooks/${path}`
const DELIVERY = ['delivery', 'schedule', 'lives', 'lives.slow'].map((name) => outgoing(`${name}.test.ts`))
const INCOMING = [incoming('incoming.test.ts')]
const mail = (name: string) => `server/integrations/mail/${name}.ts`
const MAIL = [mail('news.test')]
const CHOICES = [mail('unsubscribe.test')]
const paypal = (name: string) => `server/integrations/payment-providers/paypal/${name}`
const ACCESS = ['test/access.slow.test.ts']
/** The role is checked again against the owner of the record that was found. */
const ANY_ROLE = { text: 'actor.teamRoles[found.id]\n  if', by: 'Object.values(actor.teamRoles)[0]\n  if' }

const API_KEYS = [program('api-keys/api-keys.test.ts'), 'test/access.slow.test.ts']
const MCP = ['server/integrations/mcp/mcp.test.ts']

const PEOPLE = [program('auth/partner-members.test.ts')]
const HOSTS = ['hosts', 'host-lives.slow'].map((name) => program(`hosts/${name}.test.ts`))

export const mutations: Mutation[] = [
  // own domains
  {
    rule: 'the first account that proved a domain keeps it while its record is in place',
    file: program('hosts/judge.ts'),
    text: "owner.state !== 'given-up' && named.has(owner.publicId)",
    by: "owner.state !== 'given-up' && named.has('')",
    tests: HOSTS,
  },
  {
    rule: 'a domain that was given up yields to whoever proves it',
    file: program('hosts/judge.ts'),
    text: "owner.state !== 'given-up' && named.has(owner.publicId)",
    by: 'named.has(owner.publicId)',
    tests: HOSTS,
  },
  {
    rule: 'an old answer of the name servers decides nothing',
    file: program('hosts/record.ts'),
    text: '!== owner) throw',
    by: "!== owner && owner === '-') throw",
    tests: HOSTS,
  },
  {
    rule: 'two processes count a failure of a day once',
    file: program('hosts/judge.ts'),
    text: '(row.countedOn === null || row.countedOn < today)',
    by: 'true',
    tests: HOSTS,
  },
  {
    rule: 'pressing the button counts no failure',
    file: program('hosts/judge.ts'),
    text: 'const counts = wasReady && today !== undefined && (row.countedOn === null || row.countedOn < today)',
    by: 'const counts = wasReady && (today === undefined || row.countedOn === null || row.countedOn < today)',
    tests: HOSTS,
  },
  {
    rule: 'addresses leave a domain that another account has proven',
    file: program('hosts/judge.ts'),
    text: "if (row.state === 'ready' || row.state === 'attention') await turnAway(tx, row)",
    by: '',
    tests: HOSTS,
  },
  {
    rule: 'the answer of an install is for one host',
    file: 'server/platform/http/install-proof.ts',
    text: '${hostname} ${config.appUrl}',
    by: '${config.appUrl}',
    tests: HOSTS,
  },
  {
    rule: 'only a proxy itself is told which domains are known',
    file: program('hosts/routes.ts'),
    text: ' && !FORWARDED.some((name) => headers[name] !== undefined)',
    by: '',
    tests: HOSTS,
  },
  {
    rule: 'a proxy is told of no unproven domain',
    file: program('hosts/host-map.ts'),
    text: "and h.state <> 'unproven'",
    by: '',
    tests: HOSTS,
  },
  // people
  {
    rule: 'a member of a partner does not read where the money goes',
    file: 'contract/readers.ts',
    text: 'destination: ownerAndPartnersOwner',
    by: 'destination: ownerAndPartner',
    tests: [program('payouts/statement/statement.test.ts')],
  },
  {
    rule: 'a member of a partner reads as one',
    file: program('access/route.ts'),
    text: "access?.partnerRole === 'member'",
    by: 'access?.partnerId === null',
    tests: PEOPLE,
  },
  {
    rule: 'the rights of a person at a partner are those of their role there',
    file: program('access/access.ts'),
    text: 'callerAt(actor.partnerRoles[found.subjectPartnerId]!)',
    by: 'callerAt(Object.values(actor.partnerRoles)[0]!)',
    tests: PEOPLE,
  },
  {
    rule: 'a partner that is not archived keeps an owner',
    file: program('auth/members.ts'),
    text: "if (!archived) throw refusal('last_partner_owner')",
    by: 'void archived',
    tests: PEOPLE,
  },
  {
    rule: 'a new owner whom the account invites holds automatic payouts',
    file: program('auth/invitations.ts'),
    text: "row.holdsPayouts && role === 'owner'",
    by: "row.holdsPayouts && role === 'member'",
    tests: PEOPLE,
  },
  {
    rule: 'an owner who accepts an earlier invitation stays an owner',
    file: program('auth/invitations.ts'),
    text: "!== 'owner') await setRole(",
    by: "!== 'viewer') await setRole(",
    tests: PEOPLE,
  },

  // money
  {
    rule: 'a share is rounded half up',
    file: 'contract/money.ts',
    text: 'BigInt(numerator) + BigInt(denominator)',
    by: 'BigInt(numerator)',
    tests: ['contract/money.test.ts', ...EARNINGS],
  },
  {
    rule: 'all layers together get no more than the base',
    file: program('terms/plan.ts'),
    text: 'Math.min(whole, left)',
    by: 'whole',
    tests: EARNINGS,
  },
  {
    rule: 'a pending refund is taken from the sale',
    file: program('sales/sale-state.ts'),
    text: "status === 'pending' || status === 'succeeded'",
    by: "status === 'succeeded'",
    tests: [program('sales/refund-sale.test.ts'), ...SALES],
  },
  {
    rule: 'a fully refunded sale has the status refunded',
    file: program('sales/sale-state.ts'),
    text: "lost >= sale.grossAmount ? 'refunded'",
    by: "lost > sale.grossAmount ? 'refunded'",
    tests: [program('sales/refund-sale.test.ts')],
  },
  {
    rule: 'a reversal of an entry in an approved payout is due at once',
    file: program('commissions/correct-entries.ts'),
    text: 'clawback: bound && ',
    by: 'clawback: false && ',
    tests: [program('sales/refund-sale.test.ts'), ...SALES],
  },
  {
    rule: 'revenue falls with a refund',
    file: program('sales/sale-state.ts'),
    text: 'if (own && sale.accountAmount !== null) moveRevenue(',
    by: 'if (own && sale.accountAmount === -1) moveRevenue(',
    tests: [program('sales/refund-sale.test.ts'), ...SALES],
  },
  {
    rule: 'a sale of zero wins no lead',
    file: program('sales/record-sale.ts'),
    text: 'sale.lead && sale.amount > 0 && ',
    by: 'sale.lead && ',
    tests: SALES,
  },
  {
    rule: 'a lead created in a group commit names the key of its own sale',
    file: program('leads/lead-facts.ts'),
    text: 'by: first.get(id)!',
    by: 'by: movers[0]!.by',
    tests: [program('sales/record-sale.test.ts')],
  },
  {
    rule: 'a payment on the last day of the recurring months earns',
    file: program('sales/places.ts'),
    text: 'sale_date > first_day + make_interval',
    by: 'sale_date >= first_day + make_interval',
    tests: [program('commissions/credit.test.ts')],
  },
  {
    rule: 'a sale that the policy refuses earns nothing',
    file: program('commissions/credit.ts'),
    text: "hold?.policy !== 'refuse'",
    by: 'true',
    tests: [program('commissions/credit.test.ts'), ...SALES],
  },
  // layers
  {
    rule: 'the tenth layer is paid',
    file: program('commissions/earnings.ts'),
    text: 'const DEEPEST = 9',
    by: 'const DEEPEST = 8',
    tests: EARNINGS,
  },
  {
    rule: 'a suspended ancestor earns nothing',
    file: program('commissions/earnings.ts'),
    text: "p.state = 'active'",
    by: 'true',
    tests: EARNINGS,
  },
  {
    rule: "a partner's own rates go before those of the link",
    file: program('terms/in-force.ts'),
    text: '(1, s.partner_id), (2, ${group}), (3, s.blueprint_id)',
    by: '(3, s.partner_id), (2, ${group}), (1, s.blueprint_id)',
    tests: [program('terms/in-force.test.ts')],
  },
  {
    rule: "the terms of a partner's group go before those of the link",
    file: program('terms/in-force.ts'),
    text: '(2, ${group}), (3, s.blueprint_id)',
    by: '(3, ${group}), (2, s.blueprint_id)',
    tests: [program('terms/in-force.test.ts')],
  },
  {
    rule: 'terms for new customers alone leave earlier ones theirs',
    file: program('terms/in-force.ts'),
    text: "(l.applies_to = 'all-sales' or l.saved_at <= s.referred_at)",
    by: 'true',
    tests: [program('terms/in-force.test.ts')],
  },
  // tenants
  {
    rule: 'leads, entries and payouts are read only by their own account',
    file: program('access/access.ts'),
    text: 'and ${isOf(sql`t.account_id`, accountIds)}\n    and (a.id = any(${actor.accountIds}::uuid[]) or t.partner_id = any(',
    by: 'and (true or t.partner_id = any(',
    also: ANY_ROLE,
    tests: ACCESS,
  },
  {
    rule: 'a link blueprint is read only by its own account',
    file: program('access/access.ts'),
    text: 't.archived_at is null and a.id = any(${actor.accountIds}::uuid[])',
    by: 't.archived_at is null',
    also: ANY_ROLE,
    tests: ACCESS,
  },
  {
    rule: 'a disabled account’s owner is shut out',
    file: program('access/access.ts'),
    text: "if (account.disabledAt && !endpoint.whileDisabled && as !== 'admin') throw accountDisabled()",
    by: '',
    tests: [program('access/route.test.ts'), ...ACCESS],
  },
  // readers
  {
    rule: 'a partner reads no entries but their own',
    file: program('commissions/present-entries.ts'),
    text: "reader.as === 'partner' ? sql`and t.partner_id = ${reader.partnerId}` : sql``",
    by: 'sql``',
    tests: [program('sales/list-sales.test.ts')],
  },
  {
    rule: 'a partner reads amounts only where the account shows them',
    file: program('sales/present-sales.ts'),
    text: "const hidden = reader.as === 'partner' && !reader.account.partnerVisibility.saleAmounts",
    by: 'const hidden = false',
    tests: [program('sales/list-sales.test.ts')],
  },
  {
    rule: 'a partner reads names only where the account shows them',
    file: program('leads/lead-name.ts'),
    text: 'const named = known && leadNames',
    by: 'const named = known',
    tests: [program('leads/leads.test.ts'), program('access/route.test.ts')],
  },
  {
    rule: 'an event contains only fields of its schema',
    file: 'server/platform/events/happened.ts',
    text: 'publicEvents[type].parse(object)',
    by: 'object',
    tests: ['server/platform/events/public-events.test.ts'],
  },
  // sign-in
  {
    rule: 'an ended session is refused',
    file: program('access/actor.ts'),
    text: 'and s.ended_at is null and',
    by: 'and',
    tests: [program('auth/sessions.test.ts')],
  },
  {
    rule: 'an access token expires',
    file: program('access/actor.ts'),
    text: 's.access_expires_at > ${db.now} and ',
    by: '',
    tests: [program('auth/sessions.test.ts')],
  },
  {
    rule: 'a refresh token used twice ends the session',
    file: program('auth/sessions.ts'),
    text: '    await endForReuse(tx, session, device)\n',
    by: '',
    tests: [program('auth/sessions.test.ts')],
  },
  {
    rule: 'failed sign-ins have to wait',
    file: program('auth/sign-in-attempts.ts'),
    text: 'failures >= free ?',
    by: 'failures >= free * 1000 ?',
    tests: [program('auth/sign-in.test.ts')],
  },
  {
    rule: 'a confirmed password is valid for ten minutes',
    file: program('access/actor.ts'),
    text: '<= TEN_MINUTES',
    by: '<= TEN_MINUTES * 100',
    tests: [program('payouts/payout-settings.test.ts')],
  },
  {
    rule: 'an invitation is accepted only by its recipient',
    file: program('auth/invitations.ts'),
    text: 'if (row.userId !== actor.userId)',
    by: 'if (row.userId === null)',
    tests: [program('auth/invitations.test.ts')],
  },
  // idempotency
  {
    rule: 'an idempotency key is valid for one body',
    file: 'server/platform/http/idempotency.ts',
    text: 'if (!known.bodyHash.equals(bodyHash) && !known.bodyHash.equals(plainHash(text)))',
    by: 'if (known.status === -1)',
    tests: ['test/resilience.slow.test.ts'],
  },
  {
    rule: 'an idempotency key is valid for one role',
    file: 'server/platform/http/idempotency.ts',
    text: 'JSON.stringify(body ?? null) + role',
    by: 'JSON.stringify(body ?? null)',
    tests: ['test/resilience.slow.test.ts', program('access/route.test.ts')],
  },
  {
    rule: 'an idempotency key is stored for a day',
    file: 'server/platform/http/idempotency.ts',
    text: "else '24 hours' end",
    by: "else '24 days' end",
    tests: ['test/resilience.slow.test.ts', program('access/route.test.ts')],
  },
  // limits
  {
    rule: 'a caller over the limit is refused',
    file: 'server/platform/http/limits.ts',
    text: 'tell(reply, limit, count, ++count.calls > most(limit))',
    by: 'tell(reply, limit, count, false)',
    tests: ['server/platform/http/limits.test.ts'],
  },
  // signatures and secrets
  {
    rule: 'an event of a provider is signed',
    file: 'server/integrations/payment-providers/signed-lately.ts',
    text: 'timingSafeEqual(mac, expected)',
    by: 'true',
    tests: ['server/integrations/payment-providers/receive.test.ts'],
  },
  {
    rule: 'an event of Shopify is signed',
    file: 'server/integrations/payment-providers/signed-body.ts',
    text: 'timingSafeEqual(given, expected)',
    by: 'true',
    tests: ['server/integrations/payment-providers/shopify/connecting.test.ts'],
  },
  {
    rule: 'an event of Square is signed for the address it is sent to',
    file: 'server/integrations/payment-providers/square/adapter.ts',
    text: 'isSignedBody(signature, by, url, raw)',
    by: 'isSignedBody(signature, by, raw)',
    tests: ['server/integrations/payment-providers/square/connecting.test.ts'],
  },
  {
    rule: 'an event of PayPal is signed',
    file: paypal('signature.ts'),
    text: 'return verify(',
    by: 'return true || verify(',
    tests: [paypal('signature.test.ts')],
  },
  {
    rule: "PayPal's certificates come from PayPal",
    file: paypal('certificates.ts'),
    text: "host.endsWith('.paypal.com')",
    by: "host.endsWith('paypal.com')",
    tests: [paypal('signature.test.ts')],
  },
  {
    rule: "PayPal's certificates come from a trusted issuer",
    file: paypal('certificates.ts'),
    text: 'other.ca && issuedBy(other)',
    by: 'issuedBy(other)',
    tests: [paypal('signature.test.ts')],
  },
  {
    rule: "PayPal's certificates have not expired",
    file: paypal('certificates.ts'),
    text: 'reach.now > chain.to',
    by: 'false',
    tests: [paypal('signature.test.ts')],
  },
  {
    rule: 'an event of a provider is no older than five minutes',
    file: 'server/integrations/payment-providers/signed-lately.ts',
    text: '> TOLERANCE_S',
    by: '> TOLERANCE_S * 1000',
    tests: ['server/integrations/payment-providers/receive.test.ts'],
  },
  {
    rule: 'an event of Lemon Squeezy is signed',
    file: 'server/integrations/payment-providers/lemon-squeezy/adapter.ts',
    text: "isSignedBody(headers['x-signature'], by, raw)",
    by: 'true',
    tests: ['server/integrations/payment-providers/lemon-squeezy/lemon-squeezy.test.ts'],
  },
  {
    rule: 'an event of Wise is signed',
    file: program('payouts/methods/wise/events.ts'),
    text: ".verify(publicKey, signature, 'base64')",
    by: ".verify(publicKey, signature, 'base64') || true",
    tests: [program('payouts/methods/wise/events.slow.test.ts')],
  },
  {
    rule: 'encrypted text can be decrypted only in its own place',
    file: 'server/platform/database/secrets.ts',
    text: 'cipher.setAAD(Buffer.from(place))',
    by: "cipher.setAAD(Buffer.from(''))",
    tests: ['server/platform/database/secrets.test.ts'],
  },
  // reports of payment providers
  {
    rule: 'a refund counts once Paddle approves it',
    file: 'server/integrations/payment-providers/paddle/payment.ts',
    text: "action === 'refund' && status === 'approved'",
    by: "action === 'refund'",
    tests: ['server/integrations/payment-providers/paddle/paddle.test.ts'],
  },
  {
    rule: 'a chargeback that is won restores the commission',
    file: program('sales/refund-sale.ts'),
    text: ' || overturned',
    by: '',
    tests: ['server/integrations/payment-providers/paddle/paddle.test.ts'],
  },
  {
    rule: 'the first payment of a subscription is counted once',
    file: 'server/integrations/payment-providers/lemon-squeezy/gather.ts',
    text: 'isInitial ? await orderOf(attributes, reading) : ',
    by: '',
    tests: ['server/integrations/payment-providers/lemon-squeezy/lemon-squeezy.test.ts'],
  },
  // payouts
  {
    rule: 'an entry on hold is not paid out',
    file: program('commissions/entry-status.ts'),
    text: '(p.id is null and not ${isEntryOnHold(now, accountId)} and not ${isHeld(now, accountId)})',
    by: '(p.id is null and not ${isHeld(now, accountId)})',
    tests: [...PAYOUTS, program('payouts/judgement.test.ts')],
  },
  {
    rule: 'a payout waits from the required day for a partner who accepted neither that version nor a newer one',
    file: program('payouts/blocker-conditions.ts'),
    text: 'hasNotAccepted(account.id, sql`n.id`, requiredAgreement)',
    by: 'sql`false`',
    tests: [program('agreement/agreement.test.ts')],
  },
  {
    rule: 'what an applicant ticked counts only where the e-mail was confirmed',
    file: program('joining/decide.ts'),
    text: 'row.agreementVersion !== null && row.confirmedAt !== null',
    by: 'row.agreementVersion !== null',
    tests: [program('agreement/agreement.test.ts')],
  },
  {
    rule: 'a partner is approved for the year',
    file: program('payouts/blocker-conditions.ts'),
    text: 'sql`not (${terms.year}::integer = any(n.approved_payout_years))`',
    by: 'sql`false`',
    tests: PAYOUTS,
  },
  {
    rule: 'changed bank details block payouts for 72 hours',
    file: program('payouts/blocker-conditions.ts'),
    text: 'sql`(d.details_sealed is not null and d.changed_at > ${coolOff})`',
    by: 'sql`false`',
    tests: [program('payouts/payout-settings.test.ts')],
  },
  {
    rule: 'an automatic run stays below its ceilings',
    file: program('payouts/approve.ts'),
    text: '  refuseAboveCeilings(terms, pay, sum, approver)\n',
    by: '',
    tests: [...PAYOUTS, program('payouts/judgement.test.ts')],
  },
  {
    rule: 'runs of one day share a ceiling',
    file: program('payouts/approve.ts'),
    text: 'approver: automaticRun }, ids, approved)',
    by: 'approver: automaticRun }, ids)',
    tests: [program('payouts/methods/wise/advance.test.ts')],
  },
  // statistics and clicks
  {
    rule: 'a duplicate that is won counts as a lead from then on',
    file: program('leads/lead-facts.ts'),
    text: "moved.filter((lead) => lead.was === 'duplicate')",
    by: 'moved.filter(() => false)',
    tests: [program('leads/leads.test.ts')],
  },
  {
    rule: 'a bot’s click is not counted',
    file: program('stats/count.ts'),
    text: 'where not is_bot group by',
    by: 'group by',
    tests: [program('clicks/redirect.test.ts')],
  },

  // webhooks, out and in
  {
    rule: 'an event is delivered only to webhooks of its own account',
    file: outgoing('deliveries.ts'),
    text: 'accountId === one.accountId && ',
    by: '',
    also: { text: '.map(({ id }) => ({ ...one, id:', by: '.map(({ id, accountId }) => ({ ...one, accountId, id:' },
    tests: DELIVERY,
  },
  {
    rule: 'a webhook gets only the events it selected',
    file: outgoing('deliveries.ts'),
    text: '(events[0] === ALL_EVENTS || events.includes(one.event))',
    by: 'events.length > 0',
    tests: DELIVERY,
  },
  {
    rule: 'a replaced secret signs for a day and no longer',
    file: outgoing('sealed.ts'),
    text: 'former && until && until > now',
    by: 'former && until',
    tests: DELIVERY,
  },
  {
    rule: 'one process at a time delivers to a webhook',
    file: outgoing('turns.ts'),
    text: 'h.held_until > clock_timestamp()',
    by: 'false',
    also: { text: 'excluded.held_until - h.held_until >= ${HELD}', by: 'true' },
    tests: [outgoing('turns.test.ts'), ...DELIVERY],
  },
  {
    rule: 'an attempt counts once',
    file: outgoing('settle.ts'),
    text: 'states.has(id)',
    by: 'Boolean(id)',
    also: { text: 'd.tries = s.before and ', by: '' },
    tests: DELIVERY,
  },
  {
    rule: 'a receiver that is gone gets no further deliveries',
    file: outgoing('schedule.ts'),
    text: "if (isGone(outcome)) off = 'gone'",
    by: "if (count >= OFF_AT + 1000) off = 'gone'",
    tests: DELIVERY,
  },
  {
    rule: 'a failing receiver gets one delivery at a time',
    file: outgoing('courier.ts'),
    text: 'isFailing ? SLOTS_WHILE_FAILING : SLOTS',
    by: 'isFailing ? SLOTS : SLOTS',
    tests: DELIVERY,
  },
  {
    rule: 'an incoming webhook accepts only signed payloads',
    file: incoming('receive.ts'),
    text: 'if (refused) {',
    by: 'if (refused && raw.length < 0) {',
    tests: INCOMING,
  },
  {
    rule: 'a repeated delivery creates nothing',
    file: incoming('receive.ts'),
    text: 'if (first) return first.id',
    by: 'if (first && webhook.dedupePath === "never") return first.id',
    tests: INCOMING,
  },
  {
    rule: 'a dry run stores nothing',
    file: incoming('process.ts'),
    text: 'await undone(tx, ',
    by: 'await savepoint(tx, ',
    tests: INCOMING,
  },
  {
    rule: 'an amount with more decimals than its currency is refused',
    file: incoming('transform.ts'),
    text: 'Number(fraction.slice(digits)) > 0',
    by: 'Number(fraction.slice(digits)) < 0',
    tests: ['server/integrations/incoming-webhooks/transform.test.ts'],
  },
  {
    rule: 'a deleted API key is refused',
    file: program('access/keys-by-hash.ts'),
    text: ' and deleted_at is null',
    by: '',
    tests: API_KEYS,
  },
  {
    rule: 'an expired API key is refused',
    file: program('access/keys-by-hash.ts'),
    text: 'expires_at > ${db.now}',
    by: "expires_at > '2020-01-01'",
    tests: API_KEYS,
  },
  {
    rule: 'an API key reads only with read permission',
    file: program('access/route.ts'),
    text: "if (!rights.includes('read')) throw",
    by: 'if (rights.length === 0) throw',
    tests: API_KEYS,
  },
  {
    rule: 'an API key writes only through push calls',
    file: program('access/route.ts'),
    text: "if (method !== 'GET') throw refusal('api_key_may_not_write')",
    by: '',
    tests: API_KEYS,
  },
  {
    rule: 'a program reads no secrets of its user',
    file: program('access/route.ts'),
    text: "return isProgram ? 'key' : 'owner'",
    by: "return 'owner'",
    tests: API_KEYS,
  },
  {
    rule: 'an assistant is bound to the roles of its user',
    file: program('access/route.ts'),
    text: '      requireRole(endpoint, actor)\n',
    by: '',
    tests: MCP,
  },
  {
    rule: 'another site’s page reads nothing through the Model Context Protocol',
    file: 'server/integrations/mcp/routes.ts',
    text: 'request.headers.origin !== undefined && request.headers.origin !== origin',
    by: 'request.headers.origin === ""',
    tests: MCP,
  },
  {
    rule: 'a new password ends all access tokens',
    file: program('auth/set-password.ts'),
    text: '  await deleteTokens(tx, by, userId)\n',
    by: '',
    tests: MCP,
  },

  // mail
  {
    rule: 'a mail shows a partner what the account lets them see',
    file: mail('mail'),
    text: "as: partnerId ? 'partner' : 'owner', partnerId, account",
    by: "as: 'owner', partnerId: null, account",
    tests: MAIL,
  },
  {
    rule: 'many sales are collected into few mails',
    file: mail('news-queries'),
    text: 'and (t.last_at is null or t.last_at <= ${db.now}::timestamptz - ${pause})',
    by: '',
    tests: MAIL,
  },
  {
    rule: 'old sales and refunds notify no one',
    file: mail('news-queries'),
    text: '< ${since}::timestamptz)',
    by: '< ${new Date(0)}::timestamptz and ${since}::timestamptz is null)',
    tests: MAIL,
  },
  {
    rule: 'a disabled account sends no mails',
    file: mail('mail'),
    text: 'account.disabledAt || ',
    by: '',
    tests: MAIL,
  },
  {
    rule: 'a user without a login, or suspended, gets no notifications',
    file: mail('news-queries'),
    text: "(n.user_id is not null and n.state = 'active')",
    by: '(n.id is not null)',
    tests: MAIL,
  },
  {
    rule: 'no words of Wise quote bank details',
    file: 'server/program/payouts/methods/wise/client.ts',
    text: "words.replace(/\\d[\\d -]{3,}\\d/g, '•••')",
    by: 'words',
    tests: MAIL,
  },
  {
    rule: 'a name that contains a web address is not mailed',
    file: mail('letter'),
    text: "line === '' || holdsAddress(line)",
    by: "line === ''",
    tests: [mail('kinds/registry.slow.test'), ...MAIL],
  },
  {
    rule: 'a group that a user unsubscribed from is not mailed',
    file: mail('unsubscribe'),
    text: "if (preferences?.[group] === false) return 'turned off'",
    by: '',
    tests: CHOICES,
  },
  {
    rule: 'an unsubscribe link covers only its own group and user',
    file: mail('unsubscribe'),
    text: "openIfOurs(secrets, Buffer.from(token, 'base64url'), PLACE)",
    by: "openIfOurs(secrets, Buffer.from(token, 'base64url'), 'another|place')",
    tests: CHOICES,
  },
  {
    rule: 'a mandatory group cannot be unsubscribed from by link',
    file: mail('unsubscribe'),
    text: 'if (!known || !userId) throw unknownLink()\n  return { userId, group: known }',
    by: 'if (!userId) throw unknownLink()\n  return { userId, group: known ?? (group as never) }',
    tests: CHOICES,
  },
  {
    rule: 'the mail log has no link that opens an account',
    file: mail('log'),
    text: "link.includes('#') ? HIDDEN_LINK : link",
    by: 'link',
    tests: [mail('log.test')],
  },
  {
    rule: 'administrators cannot read an account’s business in the mail log',
    file: mail('log'),
    text: '!optionalMailGroups.includes(mails[kind].group)',
    by: 'kind in mails',
    tests: CHOICES,
  },
]
