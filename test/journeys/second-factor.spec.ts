import { waitUntil } from '../support/app.ts'
import { totpCode } from '../support/authenticator.ts'
import { anOwner, expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { prepareSecondFactor, regionNamed, signOut, site, startSignIn } from '../support/second-factor-screens.ts'
import { expect, test } from '../support/test.ts'

// The second factor: an authenticator app is set up and asked for.

prepareSecondFactor()

/** A code of a step after this one, which no earlier call has used. */
async function nextCode(secret: string, used: string) {
  return waitUntil(() => {
    const code = totpCode(secret, new Date(Date.now() + 30_000))
    return Promise.resolve(code === used ? null : code)
  }, 40_000)
}

test('an authenticator app is set up, asked for at the next sign-in, and a recovery code stands in', async ({
  page,
}) => {
  const owner = await anOwner(site)
  await openAs(page, site, owner, '/user/profile')
  await regionNamed(page, 'Authenticator app').getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Authenticator app' })
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = await dialog.getByLabel('Key').inputValue()
  await expectAccessibleInBothThemes(page)
  await dialog.getByLabel('Authentication Code').fill('12345')
  await dialog.getByRole('button', { name: 'Set up' }).click()
  await expect(dialog.getByRole('alert')).toContainText('That code is not valid')
  const code = totpCode(secret, new Date())
  await dialog.getByLabel('Authentication Code').fill(code)
  await dialog.getByRole('button', { name: 'Set up' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes).toContainText('They won’t be shown again')
  const recovery = (await codes.locator('code, pre').first().innerText()).trim().split(/\s+/)
  expect(recovery).toHaveLength(10)
  await expectAccessibleInBothThemes(page)
  await codes.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(regionNamed(page, 'Recovery codes')).toContainText('10 codes left')

  await signOut(page)
  await startSignIn(page, owner.email)
  await expect(page.getByLabel('Authentication Code')).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await page.getByLabel('Authentication Code').fill(code)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('That code is not valid')
  await page.getByLabel('Authentication Code').fill(await nextCode(secret, code))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()

  await signOut(page)
  await startSignIn(page, owner.email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery Code').fill(recovery[3]!.toLowerCase())
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(pageHeading(page, 'Dashboard')).toBeVisible()
  await page.goto(`${site.url}/user/profile`)
  await expect(regionNamed(page, 'Recovery codes')).toContainText('9 codes left')
  // a recovery code is no fresh proof
  await regionNamed(page, 'Recovery codes').getByRole('button', { name: 'Show new codes' }).click()
  await page.getByRole('dialog', { name: 'Show new codes' }).getByRole('button', { name: 'Show new codes' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm your password' })
  await expect(confirm.getByLabel('Authentication Code')).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await confirm.getByRole('button', { name: 'Cancel' }).click()
})
