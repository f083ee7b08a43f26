import type { Page } from '@playwright/test'
import { aSignedUpPartner } from './journey.ts'
import { owner, site } from './owner-fixture.ts'

export const aPartner = () => aSignedUpPartner(site, owner, { firstName: 'Jane', lastName: 'Whitfield' })

export const statusMessage = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
export const sessionRows = (page: Page) =>
  page.getByRole('table', { name: 'Sessions' }).locator('tbody').getByRole('row')
