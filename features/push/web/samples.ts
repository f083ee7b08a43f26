export const languages = ['curl', 'node', 'python', 'php'] as const
export type Language = (typeof languages)[number]

const lead = { externalId: 'user-1042', email: 'jane@customer.example', referralCode: 'jane' }
const sale = { externalId: 'order-2001', leadExternalId: 'user-1042', amount: 4999, currency: 'usd' }

export const bodies = { leads: lead, sales: sale } as const

/**
 * Returns a complete program that pushes one item; it reads the key from the environment variable TRIBUTARY_API_KEY.
 */
export function buildSample(language: Language, what: keyof typeof bodies, base: string) {
  const address = `${base}/push/${what}`
  const body = bodies[what]
  const json = JSON.stringify(body, null, 2)
  switch (language) {
    case 'curl':
      return `curl ${address} \\
  -H "Authorization: Bearer $TRIBUTARY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${indented(json)}'`
    case 'node':
      return `const response = await fetch('${address}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.TRIBUTARY_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indented(json)}),
})
console.log(response.status, await response.json())`
    case 'python':
      return `import json, os, urllib.request

request = urllib.request.Request(
    "${address}",
    data=json.dumps(${indented(JSON.stringify(body, null, 4), 4)}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["TRIBUTARY_API_KEY"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`
    case 'php':
      return `<?php
$curl = curl_init('${address}');
curl_setopt_array($curl, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('TRIBUTARY_API_KEY'),
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
${Object.entries(body)
  .map(([key, value]) => `        '${key}' => ${typeof value === 'number' ? value : `'${value}'`},`)
  .join('\n')}
    ]),
]);
echo curl_exec($curl), PHP_EOL;`
  }
}

export const portalUser = { email: 'jane@customer.example', firstName: 'Jane', lastName: 'Doe' }

/** Returns the two calls of an application's server that open one user's portal, and the tag of its page; `invite` shows customers the panel for inviting friends. */
export const portalSamples = (base: string, accountId: string) => ({
  partner: `curl -X PUT ${base}/accounts/${accountId}/partners/by-external-id/user-1042 \\
  -H "Authorization: Bearer $TRIBUTARY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${indented(JSON.stringify(portalUser, null, 2))}'`,
  session: openSession(base, '{ "kind": "frame" }'),
  frame: '<iframe src="URL" title="Partner program" allow="clipboard-write" width="100%" height="800"></iframe>',
  invite: openSession(base, '{ "kind": "frame", "view": "invite" }'),
  inviteFrame:
    '<iframe src="URL" title="Invite friends" allow="clipboard-write; web-share" width="100%" height="800"></iframe>',
})

const openSession = (base: string, body: string) => `curl ${base}/partners/$PARTNER_ID/portal-sessions \\
  -H "Authorization: Bearer $TRIBUTARY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`

const indented = (text: string, by = 2) => text.replaceAll('\n', `\n${' '.repeat(by)}`)
