import { failOnPageErrors } from '../support/browser.ts'
import { failed, loading, screensOf } from '../support/intercept-calls.ts'
import { atRest, enter, heading, visit } from '../support/journey.ts'
import { answerAsIcu72 } from '../support/other-locales.ts'
import { pathOf, roles } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// Every screen in a browser whose locales write days otherwise, as WebKit's do on Debian 12.

for (const role of roles)
  test(`no screen of the ${role} reads a day from the text of a locale`, async ({ page, populated }) => {
    const complaints = await failOnPageErrors(page)
    await page.addInitScript(answerAsIcu72)
    await enter(page, populated.site, populated[role])
    for (const { path, h1, isGone } of screensOf(role)) {
      await visit(page, pathOf(path, populated.things))
      await expect(heading(page, h1)).toBeVisible()
      await expect(loading(page)).toHaveCount(0)
      await atRest(page)
      if (!isGone) await expect(failed(page), path).toHaveCount(0)
      await expect(page.getByText(/NaN|Invalid Date/), path).toHaveCount(0)
    }
    expect(complaints.filter((complaint) => complaint.startsWith('exception'))).toEqual([])
  })
