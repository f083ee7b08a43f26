import { listOf } from './send.js';
export class AuthApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Accept an invitation as the invited user. For: everyone signed in. `POST /auth/user-setup/accept` */
    acceptUserSetup(body, options) {
        const call = { method: 'POST', path: '/auth/user-setup/accept', body };
        return this.#send(call, options);
    }
    /** Set the password, by link or with the current password. All other sessions end. For: the bearer of a set-up or reset link, everyone signed in. `POST /auth/change-password` */
    changePassword(body, options) {
        const call = { method: 'POST', path: '/auth/change-password', body };
        return this.#send(call, options);
    }
    /** Confirm the password. The session counts as freshly signed in for 10 minutes. For: everyone signed in. `POST /auth/confirm` */
    confirmPassword(body, options) {
        const call = { method: 'POST', path: '/auth/confirm', body };
        return this.#send(call, options);
    }
    /** Retrieve whom a set-up link invites, and whether it is still valid. For: the bearer of a set-up or reset link. `GET /auth/user-setup` */
    getUserSetup(options) {
        const call = { method: 'GET', path: '/auth/user-setup' };
        return this.#send(call, options);
    }
    /** Exchange a refresh token for new tokens. The old one stops working. For: everyone. `POST /auth/refresh` */
    refreshSession(body, options) {
        const call = { method: 'POST', path: '/auth/refresh', body, by: 'nobody' };
        return this.#send(call, options);
    }
    /** Email a reset link and a one-time sign-in link, if the address is known. For: everyone. `POST /auth/reset-password` */
    resetPassword(body, options) {
        const call = { method: 'POST', path: '/auth/reset-password', body, by: 'nobody' };
        return this.#send(call, options);
    }
    /** Email the set-up link again, renewed if it has expired, if there is an open invitation. For: everyone. `POST /auth/user-setup/retries` */
    retryUserSetup(body, options) {
        const call = { method: 'POST', path: '/auth/user-setup/retries', body, by: 'nobody' };
        return this.#send(call, options);
    }
    /** Sign in with email and password. For: everyone. `POST /auth/sign-in` */
    signIn(body, options) {
        const call = { method: 'POST', path: '/auth/sign-in', body, by: 'nobody' };
        return this.#send(call, options);
    }
    /** Sign in with a one-time link from an email. For: everyone. `POST /auth/sign-in/link` */
    signInByLink(body, options) {
        const call = { method: 'POST', path: '/auth/sign-in/link', body, by: 'nobody' };
        return this.#send(call, options);
    }
    /** End the current session. For: everyone. `POST /auth/sign-out` */
    signOut(body, options) {
        const call = { method: 'POST', path: '/auth/sign-out', body, by: 'nobody' };
        return this.#send(call, options);
    }
}
export class UsersApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Update the name, and preferences key by key. For: everyone signed in. `PATCH /users/me` */
    changeMe(body, options) {
        const call = { method: 'PATCH', path: '/users/me', body, keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve the signed-in user with all their roles. For: everyone signed in. `GET /users/me` */
    getMe(options) {
        const call = { method: 'GET', path: '/users/me' };
        return this.#send(call, options);
    }
    /** Create an access token for an assistant, which reads by the Model Context Protocol. Only this answer holds it. For: everyone signed in. `POST /users/me/tokens` */
    createMyToken(body, options) {
        const call = { method: 'POST', path: '/users/me/tokens', body, keyed: true };
        return this.#send(call, options);
    }
    /** List the access tokens of the user. For: everyone signed in. `GET /users/me/tokens` */
    listMyTokens(query, options) {
        return listOf(this.#send, { method: 'GET', path: '/users/me/tokens', query }, options);
    }
    /** Delete an access token. It stops working at once. For: everyone signed in. `DELETE /users/me/tokens/{id}` */
    deleteMyToken(tokenId, options) {
        const call = { method: 'DELETE', path: '/users/me/tokens/{id}', ids: [tokenId], keyed: true };
        return this.#send(call, options);
    }
    /** Sign out of every other session. For: everyone signed in. `DELETE /users/me/sessions` */
    endOtherSessions(options) {
        const call = { method: 'DELETE', path: '/users/me/sessions', keyed: true };
        return this.#send(call, options);
    }
    /** List the sessions in which the user is signed in. For: everyone signed in. `GET /users/me/sessions` */
    listMySessions(query, options) {
        return listOf(this.#send, { method: 'GET', path: '/users/me/sessions', query }, options);
    }
    /** End one session. For: everyone signed in. `DELETE /users/me/sessions/{id}` */
    endSession(sessionId, options) {
        const call = { method: 'DELETE', path: '/users/me/sessions/{id}', ids: [sessionId], keyed: true };
        return this.#send(call, options);
    }
}
export class AccountsApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Assign the owner. The previous owner keeps the role until the new one accepts. For: administrators. `PUT /accounts/{id}/owner` */
    assignOwner(accountId, body, options) {
        const call = { method: 'PUT', path: '/accounts/{id}/owner', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve the owner, also before they accept. 404 if there is none. For: administrators, the account's owner. `GET /accounts/{id}/owner` */
    getOwner(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/owner', ids: [accountId] };
        return this.#send(call, options);
    }
    /** Update settings. Nothing that is already booked changes. For: administrators, the account's owner. `PATCH /accounts/{id}` */
    change(accountId, body, options) {
        const call = { method: 'PATCH', path: '/accounts/{id}', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve an account. Its partners see a reduced one. For: administrators, the account's owner, the partner. `GET /accounts/{id}` */
    get(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}', ids: [accountId] };
        return this.#send(call, options);
    }
    /** Update automatic payouts. Turning them on needs a profile that the token can see. For: the account's owner. `PUT /accounts/{id}/auto-payout-settings` */
    changeAutoPayoutSettings(accountId, body, options) {
        const call = { method: 'PUT', path: '/accounts/{id}/auto-payout-settings', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve the settings of automatic payouts. For: the account's owner. `GET /accounts/{id}/auto-payout-settings` */
    getAutoPayoutSettings(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/auto-payout-settings', ids: [accountId] };
        return this.#send(call, options);
    }
    /** Create an account and invite its owner. Who names themselves is its owner at once. For: administrators. `POST /accounts` */
    create(body, options) {
        const call = { method: 'POST', path: '/accounts', body, keyed: true };
        return this.#send(call, options);
    }
    /** List all accounts with their statistics. For: administrators. `GET /accounts` */
    list(query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts', query }, options);
    }
    /** Disable an account. For: administrators. `POST /accounts/{id}/disable` */
    disable(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/disable', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Download all accounts. For: administrators. `GET /accounts/csv` */
    downloadAccounts(query, options) {
        const call = { method: 'GET', path: '/accounts/csv', query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download who changed what, and when. For: the account's owner. `GET /accounts/{id}/audit/csv` */
    downloadAudit(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/audit/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the exchange rates. For: the account's owner. `GET /accounts/{id}/exchange-rates/csv` */
    downloadExchangeRates(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/exchange-rates/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Enable a disabled account. For: administrators. `POST /accounts/{id}/enable` */
    enable(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/enable', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Enter an exchange rate. Sales that wait for it are booked. For: the account's owner. `POST /accounts/{id}/exchange-rates` */
    enterExchangeRate(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/exchange-rates', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List the exchange rates that were entered by hand and, of each other currency the account has sales in, the published one of its latest sale. For: the account's owner. `GET /accounts/{id}/exchange-rates` */
    listExchangeRates(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/exchange-rates', ids: [accountId], query }, options);
    }
    /** Export everything the account holds except bank details, keys and secrets, as a zip of CSV files. For: the account's owner. `GET /accounts/{id}/export` */
    export(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/export', ids: [accountId], answers: 'application/zip' };
        return this.#send(call, options);
    }
    /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: administrators, the account's owner. `GET /accounts/{id}/historical-stats/{range}` */
    getHistoricalStats(accountId, range, options) {
        const call = { method: 'GET', path: '/accounts/{id}/historical-stats/{range}', ids: [accountId, range] };
        return this.#send(call, options);
    }
    /** Retrieve all-time statistics. For: administrators, the account's owner. `GET /accounts/{id}/stats` */
    getStats(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/stats', ids: [accountId] };
        return this.#send(call, options);
    }
    /** Retrieve the owner's dashboard in one call. Range and compare are {from}..{to}. For: the account's owner. `GET /accounts/{id}/dashboard/{range}` */
    getDashboard(accountId, range, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/dashboard/{range}', ids: [accountId, range], query };
        return this.#send(call, options);
    }
    /** Compare this month's revenue with last month's up to the same day, and what explains the difference. For: the account's owner. `GET /accounts/{id}/dashboard/pace` */
    getPace(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/dashboard/pace', ids: [accountId] };
        return this.#send(call, options);
    }
    /** List who changed what, and when. For: the account's owner. `GET /accounts/{id}/audit` */
    listAudit(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/audit', ids: [accountId], query }, options);
    }
    /** List the profiles that a Wise token can see. Send `Authorization: wise:{token}`. For: everyone. `GET /wise/profiles` */
    listWiseProfiles(options) {
        const call = { method: 'GET', path: '/wise/profiles', by: 'wise' };
        return this.#send(call, options);
    }
    /** Create a new API key. The old one stops working at once. For: the account's owner. `PUT /accounts/{id}/api-key` */
    renewApiKey(accountId, options) {
        const call = { method: 'PUT', path: '/accounts/{id}/api-key', ids: [accountId], keyed: true };
        return this.#send(call, options);
    }
    /** Send the owner a new set-up link. For: administrators. `POST /accounts/{id}/owner/invitation/retries` */
    retryOwnerInvitation(accountId, options) {
        const call = { method: 'POST', path: '/accounts/{id}/owner/invitation/retries', ids: [accountId], keyed: true };
        return this.#send(call, options);
    }
}
export class PartnersApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Credit a partner for sales with a promotion code. Only new sales are affected. For: the account's owner. `POST /partners/{id}/promotion-codes` */
    addPromotionCode(partnerId, body, options) {
        const call = { method: 'POST', path: '/partners/{id}/promotion-codes', ids: [partnerId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List a partner's promotion codes. For: the account's owner, the partner. `GET /partners/{id}/promotion-codes` */
    listPromotionCodes(partnerId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/partners/{id}/promotion-codes', ids: [partnerId], query }, options);
    }
    /** Book an adjustment by hand. It is due at once. For: the account's owner. `POST /partners/{id}/adjustments` */
    adjustBalance(partnerId, body, options) {
        const call = { method: 'POST', path: '/partners/{id}/adjustments', ids: [partnerId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Archive a partner. Past commissions never move. For: the account's owner. `POST /partners/{id}/archive` */
    archive(partnerId, body, options) {
        const call = { method: 'POST', path: '/partners/{id}/archive', ids: [partnerId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Update a partner. Only new sales are affected. For: the account's owner, the partners above, the partner. `PUT /partners/{id}` */
    change(partnerId, body, options) {
        const call = { method: 'PUT', path: '/partners/{id}', ids: [partnerId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Delete a partner who has no history. For: the account's owner. `DELETE /partners/{id}` */
    delete(partnerId, options) {
        const call = { method: 'DELETE', path: '/partners/{id}', ids: [partnerId], keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve a partner. Partners above them see a reduced one. For: the account's owner, the partner, the partners above. `GET /partners/{id}` */
    get(partnerId, options) {
        const call = { method: 'GET', path: '/partners/{id}', ids: [partnerId] };
        return this.#send(call, options);
    }
    /** Create a partner. For: the account's owner. `POST /accounts/{id}/partners` */
    create(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/partners', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List partners of every layer and state. From and to are creation dates. For: the account's owner. `GET /accounts/{id}/partners` */
    list(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/partners', ids: [accountId], query }, options);
    }
    /** Create 1 to 100 partners, each with a result of its own. For: the account's owner. `POST /accounts/{id}/partners/bulk` */
    createPartners(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/partners/bulk', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Create a sub-partner. For: the account's owner, the partner. `POST /partners/{id}/partners` */
    createSubPartner(partnerId, body, options) {
        const call = { method: 'POST', path: '/partners/{id}/partners', ids: [partnerId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List a partner's direct sub-partners. For: the account's owner, the partner, the partners above. `GET /partners/{id}/partners` */
    listSubPartners(partnerId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/partners/{id}/partners', ids: [partnerId], query }, options);
    }
    /** Remove the deposit details. For: the partner. `DELETE /partners/{id}/payout-settings` */
    deletePayoutSettings(partnerId, options) {
        const call = { method: 'DELETE', path: '/partners/{id}/payout-settings', ids: [partnerId], keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve the deposit details, masked. For: the account's owner, the partner. `GET /partners/{id}/payout-settings` */
    getPayoutSettings(partnerId, options) {
        const call = { method: 'GET', path: '/partners/{id}/payout-settings', ids: [partnerId] };
        return this.#send(call, options);
    }
    /** Create or replace the deposit details. For: the partner. `POST /partners/{id}/payout-settings` */
    savePayoutSettings(partnerId, body, options) {
        const call = { method: 'POST', path: '/partners/{id}/payout-settings', ids: [partnerId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Stop crediting a partner for a promotion code. Sales so far keep their credit. For: the account's owner. `DELETE /partners/{id}/promotion-codes/{codeId}` */
    deletePromotionCode(partnerId, codeId, options) {
        const call = { method: 'DELETE', path: '/partners/{id}/promotion-codes/{codeId}', ids: [partnerId, codeId], keyed: true };
        return this.#send(call, options);
    }
    /** Download the balances of all partners. For: the account's owner. `GET /accounts/{id}/balances/csv` */
    downloadBalances(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/balances/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the ledger entries of a partner. For: the account's owner, the partner. `GET /partners/{id}/commissions/csv` */
    downloadCommissions(partnerId, query, options) {
        const call = { method: 'GET', path: '/partners/{id}/commissions/csv', ids: [partnerId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download all partners. For: the account's owner. `GET /accounts/{id}/partners/csv` */
    downloadPartners(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/partners/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the promotion codes of a partner. For: the account's owner, the partner. `GET /partners/{id}/promotion-codes/csv` */
    downloadPromotionCodes(partnerId, query, options) {
        const call = { method: 'GET', path: '/partners/{id}/promotion-codes/csv', ids: [partnerId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the direct sub-partners of a partner. What a parent sees masked is left empty. For: the account's owner, the partner, the partners above. `GET /partners/{id}/partners/csv` */
    downloadSubPartners(partnerId, query, options) {
        const call = { method: 'GET', path: '/partners/{id}/partners/csv', ids: [partnerId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Retrieve what a partner has earned and where it stands. For: the account's owner, the partner. `GET /partners/{id}/balance` */
    getBalance(partnerId, options) {
        const call = { method: 'GET', path: '/partners/{id}/balance', ids: [partnerId] };
        return this.#send(call, options);
    }
    /** Retrieve the status of the invitation. 404 if never invited. For: the account's owner, the partners above. `GET /partners/{id}/invitation` */
    getInvitation(partnerId, options) {
        const call = { method: 'GET', path: '/partners/{id}/invitation', ids: [partnerId] };
        return this.#send(call, options);
    }
    /** Revoke the invitation. For: the account's owner, the partners above. `DELETE /partners/{id}/invitation` */
    revokeInvitation(partnerId, options) {
        const call = { method: 'DELETE', path: '/partners/{id}/invitation', ids: [partnerId], keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: the account's owner, the partner. `GET /partners/{id}/historical-stats/{range}` */
    getHistoricalStats(partnerId, range, options) {
        const call = { method: 'GET', path: '/partners/{id}/historical-stats/{range}', ids: [partnerId, range] };
        return this.#send(call, options);
    }
    /** Retrieve all-time statistics. For: the account's owner, the partner. `GET /partners/{id}/stats` */
    getStats(partnerId, options) {
        const call = { method: 'GET', path: '/partners/{id}/stats', ids: [partnerId] };
        return this.#send(call, options);
    }
    /** List the balances of all partners. For: the account's owner. `GET /accounts/{id}/balances` */
    listBalances(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/balances', ids: [accountId], query }, options);
    }
    /** List a partner's ledger entries, each with its sale and lead. Filtered by a status they add up to that part of the balance. For: the account's owner, the partner. `GET /partners/{id}/commissions` */
    listCommissions(partnerId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/partners/{id}/commissions', ids: [partnerId], query }, options);
    }
    /** Remind a partner of their payout details or their invitation, once a week of each. For: the account's owner. `POST /partners/{id}/reminders` */
    remind(partnerId, body, options) {
        const call = { method: 'POST', path: '/partners/{id}/reminders', ids: [partnerId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Send the invitation, or send it again. The old link stops working. For: the account's owner, the partners above. `POST /partners/{id}/invitation/retries` */
    retryInvitation(partnerId, options) {
        const call = { method: 'POST', path: '/partners/{id}/invitation/retries', ids: [partnerId], keyed: true };
        return this.#send(call, options);
    }
}
export class LinksApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Update a link blueprint. Only new clicks and sales are affected. For: the account's owner. `PUT /link-blueprints/{id}` */
    change(linkBlueprintId, body, options) {
        const call = { method: 'PUT', path: '/link-blueprints/{id}', ids: [linkBlueprintId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Delete a link blueprint. Its links still redirect visitors. For: the account's owner. `DELETE /link-blueprints/{id}` */
    delete(linkBlueprintId, options) {
        const call = { method: 'DELETE', path: '/link-blueprints/{id}', ids: [linkBlueprintId], keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve a link blueprint. For: the account's owner. `GET /link-blueprints/{id}` */
    get(linkBlueprintId, options) {
        const call = { method: 'GET', path: '/link-blueprints/{id}', ids: [linkBlueprintId] };
        return this.#send(call, options);
    }
    /** Create a link blueprint. Every partner has a link from it at once. For: the account's owner. `POST /accounts/{id}/link-blueprints` */
    create(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/link-blueprints', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List link blueprints. For: the account's owner. `GET /accounts/{id}/link-blueprints` */
    list(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/link-blueprints', ids: [accountId], query }, options);
    }
    /** Download every partner's link from this blueprint. For: the account's owner. `GET /link-blueprints/{id}/links/csv` */
    downloadBlueprintLinks(linkBlueprintId, query, options) {
        const call = { method: 'GET', path: '/link-blueprints/{id}/links/csv', ids: [linkBlueprintId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download all link blueprints. For: the account's owner. `GET /accounts/{id}/link-blueprints/csv` */
    downloadBlueprints(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/link-blueprints/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the links of a partner. For: the account's owner, the partner. `GET /partners/{id}/links/csv` */
    downloadPartnerLinks(partnerId, query, options) {
        const call = { method: 'GET', path: '/partners/{id}/links/csv', ids: [partnerId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: the account's owner. `GET /link-blueprints/{id}/historical-stats/{range}` */
    getHistoricalStats(linkBlueprintId, range, options) {
        const call = { method: 'GET', path: '/link-blueprints/{id}/historical-stats/{range}', ids: [linkBlueprintId, range] };
        return this.#send(call, options);
    }
    /** Retrieve all-time statistics. For: the account's owner. `GET /link-blueprints/{id}/stats` */
    getStats(linkBlueprintId, options) {
        const call = { method: 'GET', path: '/link-blueprints/{id}/stats', ids: [linkBlueprintId] };
        return this.#send(call, options);
    }
    /** List every partner's link from this blueprint. For: the account's owner. `GET /link-blueprints/{id}/links` */
    listBlueprintLinks(linkBlueprintId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/link-blueprints/{id}/links', ids: [linkBlueprintId], query }, options);
    }
    /** List a partner's enabled links. For: the account's owner, the partner. `GET /partners/{id}/links` */
    listPartnerLinks(partnerId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/partners/{id}/links', ids: [partnerId], query }, options);
    }
    /** Check that a destination responds and keeps the referral code. For: the account's owner. `POST /accounts/{id}/link-blueprints/test` */
    test(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/link-blueprints/test', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
}
export class LeadsApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Add a note to the timeline of a lead. Its partner sees it only if it is shared. For: the account's owner. `POST /leads/{id}/notes` */
    addNote(leadId, body, options) {
        const call = { method: 'POST', path: '/leads/{id}/notes', ids: [leadId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Update a lead, including its protection. For: the account's owner. `PUT /leads/{id}` */
    change(leadId, body, options) {
        const call = { method: 'PUT', path: '/leads/{id}', ids: [leadId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Delete a lead that has no sales. For: the account's owner. `DELETE /leads/{id}` */
    delete(leadId, options) {
        const call = { method: 'DELETE', path: '/leads/{id}', ids: [leadId], keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve a lead. Its partner sees it masked. For: the account's owner, the partner. `GET /leads/{id}` */
    get(leadId, options) {
        const call = { method: 'GET', path: '/leads/{id}', ids: [leadId] };
        return this.#send(call, options);
    }
    /** Change the status of a lead. For: the account's owner. `POST /leads/{id}/status` */
    changeStatus(leadId, body, options) {
        const call = { method: 'POST', path: '/leads/{id}/status', ids: [leadId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Create a lead by hand. For: the account's owner. `POST /accounts/{id}/leads` */
    create(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/leads', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List all leads. From and to are creation dates, and unanswered leads have been new for more than 48 hours. For: the account's owner. `GET /accounts/{id}/leads` */
    list(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/leads', ids: [accountId], query }, options);
    }
    /** Download the timeline of a lead. For: the account's owner, the partner. `GET /leads/{id}/events/csv` */
    downloadEvents(leadId, query, options) {
        const call = { method: 'GET', path: '/leads/{id}/events/csv', ids: [leadId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download when and from where a lead was sent. For: the account's owner. `GET /leads/{id}/submissions/csv` */
    downloadSubmissions(leadId, query, options) {
        const call = { method: 'GET', path: '/leads/{id}/submissions/csv', ids: [leadId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download all leads. For: the account's owner. `GET /accounts/{id}/leads/csv` */
    downloadLeads(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/leads/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the leads of a partner. What they see masked is left empty. For: the account's owner, the partner. `GET /partners/{id}/leads/csv` */
    downloadPartnerLeads(partnerId, query, options) {
        const call = { method: 'GET', path: '/partners/{id}/leads/csv', ids: [partnerId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Find leads of the same company, by the domain of an email (never of a public mail provider) and by its name. For: the account's owner. `GET /accounts/{id}/leads/similar` */
    findSimilarLeads(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/leads/similar', ids: [accountId], query };
        return this.#send(call, options);
    }
    /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: the account's owner, the partner. `GET /leads/{id}/historical-stats/{range}` */
    getHistoricalStats(leadId, range, options) {
        const call = { method: 'GET', path: '/leads/{id}/historical-stats/{range}', ids: [leadId, range] };
        return this.#send(call, options);
    }
    /** Retrieve all-time statistics. For: the account's owner, the partner. `GET /leads/{id}/stats` */
    getStats(leadId, options) {
        const call = { method: 'GET', path: '/leads/{id}/stats', ids: [leadId] };
        return this.#send(call, options);
    }
    /** List the timeline of a lead. For: the account's owner, the partner. `GET /leads/{id}/events` */
    listEvents(leadId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/leads/{id}/events', ids: [leadId], query }, options);
    }
    /** List what was sent of a lead in the last 400 days, as it came. For: the account's owner. `GET /leads/{id}/submissions` */
    listSubmissions(leadId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/leads/{id}/submissions', ids: [leadId], query }, options);
    }
    /** List a partner's own leads. For: the account's owner, the partner. `GET /partners/{id}/leads` */
    listPartnerLeads(partnerId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/partners/{id}/leads', ids: [partnerId], query }, options);
    }
    /** Submit a lead as a partner, where the account allows it. For: the account's owner, the partner. `POST /partners/{id}/leads` */
    submit(partnerId, body, options) {
        const call = { method: 'POST', path: '/partners/{id}/leads', ids: [partnerId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Reassign a lead to another partner, or preview its earlier sales. Only new sales are affected unless you say so. For: the account's owner. `POST /leads/{id}/reassign` */
    reassign(leadId, body, options) {
        const call = { method: 'POST', path: '/leads/{id}/reassign', ids: [leadId], body, keyed: true };
        return this.#send(call, options);
    }
}
export class SalesApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Credit a partner with a sale that has none, or preview the earlier sales. For: the account's owner. `POST /sales/{id}/attribute` */
    attribute(saleId, body, options) {
        const call = { method: 'POST', path: '/sales/{id}/attribute', ids: [saleId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Update the description of a sale. For: the account's owner. `PATCH /sales/{id}` */
    change(saleId, body, options) {
        const call = { method: 'PATCH', path: '/sales/{id}', ids: [saleId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve a sale. For: the account's owner. `GET /sales/{id}` */
    get(saleId, options) {
        const call = { method: 'GET', path: '/sales/{id}', ids: [saleId] };
        return this.#send(call, options);
    }
    /** Record a sale by hand and book its commissions. For: the account's owner. `POST /leads/{id}/sales` */
    create(leadId, body, options) {
        const call = { method: 'POST', path: '/leads/{id}/sales', ids: [leadId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List the sales of a lead. For: the account's owner, the partner. `GET /leads/{id}/sales` */
    listLeadSales(leadId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/leads/{id}/sales', ids: [leadId], query }, options);
    }
    /** Download the sales of a lead. For: the account's owner, the partner. `GET /leads/{id}/sales/csv` */
    downloadLeadSales(leadId, query, options) {
        const call = { method: 'GET', path: '/leads/{id}/sales/csv', ids: [leadId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the revenue lines. For: the account's owner. `GET /accounts/{id}/revenue-lines/csv` */
    downloadRevenueLines(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/revenue-lines/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the ledger entries of a sale. For: the account's owner, the partner. `GET /sales/{id}/commissions/csv` */
    downloadCommissions(saleId, query, options) {
        const call = { method: 'GET', path: '/sales/{id}/commissions/csv', ids: [saleId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download all sales. For: the account's owner. `GET /accounts/{id}/sales/csv` */
    downloadSales(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/sales/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Explain which rule credited a sale, and why the others didn't. For: the account's owner. `GET /sales/{id}/match` */
    getMatch(saleId, options) {
        const call = { method: 'GET', path: '/sales/{id}/match', ids: [saleId] };
        return this.#send(call, options);
    }
    /** List revenue lines: what the statistics count of sales, each on its own day. The totals match the statistics of the same days. For: the account's owner. `GET /accounts/{id}/revenue-lines` */
    listRevenueLines(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/revenue-lines', ids: [accountId], query }, options);
    }
    /** List the ledger entries of a sale. Partners see only their own. For: the account's owner, the partner. `GET /sales/{id}/commissions` */
    listCommissions(saleId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/sales/{id}/commissions', ids: [saleId], query }, options);
    }
    /** List all sales. From and to are sale dates. For: the account's owner. `GET /accounts/{id}/sales` */
    list(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/sales', ids: [accountId], query }, options);
    }
    /** Preview who would earn what from a sale. Nothing is written. For: the account's owner. `POST /accounts/{id}/commission-preview` */
    previewCommission(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/commission-preview', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Preview what last month's sales would have paid by other rates. Nothing is written. For: the account's owner. `POST /accounts/{id}/rates-preview` */
    previewRates(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/rates-preview', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Record a refund by hand and reverse its part of every commission. For: the account's owner. `POST /sales/{id}/refunds` */
    refund(saleId, body, options) {
        const call = { method: 'POST', path: '/sales/{id}/refunds', ids: [saleId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Release a sale from its fraud hold. For: the account's owner. `POST /sales/{id}/release` */
    release(saleId, body, options) {
        const call = { method: 'POST', path: '/sales/{id}/release', ids: [saleId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Void a sale that was recorded by mistake. For: the account's owner. `POST /sales/{id}/void` */
    void(saleId, body, options) {
        const call = { method: 'POST', path: '/sales/{id}/void', ids: [saleId], body, keyed: true };
        return this.#send(call, options);
    }
}
export class CommissionsApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Download the ledger entries of all partners. For: the account's owner. `GET /accounts/{id}/commissions/csv` */
    downloadCommissions(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/commissions/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Retrieve the receipt of a commission entry: everything that explains its amount. For: the account's owner, the partner. `GET /commissions/{id}` */
    getReceipt(commissionId, options) {
        const call = { method: 'GET', path: '/commissions/{id}', ids: [commissionId] };
        return this.#send(call, options);
    }
    /** List the ledger entries of all partners, each with its sale. From and to are days of the sale, dueFrom and dueTo those on which entries fall due. For: the account's owner. `GET /accounts/{id}/commissions` */
    list(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/commissions', ids: [accountId], query }, options);
    }
}
export class PayoutsApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Take in Wise's results of a batch file. DryRun changes nothing. For: the account's owner. `POST /accounts/{id}/payouts/results` */
    applyResults(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/payouts/results', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Approve many partners for payouts in a calendar year. Answers whose approval changed. For: the account's owner. `POST /accounts/{id}/tax-years/{year}/approvals` */
    approveForTaxYear(accountId, year, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/tax-years/{year}/approvals', ids: [accountId, year], body, keyed: true };
        return this.#send(call, options);
    }
    /** Approve a due payout, as it was shown. For: the account's owner. `POST /payouts/{id}/approve` */
    approve(payoutId, body, options) {
        const call = { method: 'POST', path: '/payouts/{id}/approve', ids: [payoutId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Approve many payouts, or preview the approval. For: the account's owner. `POST /accounts/{id}/payouts/approve` */
    approvePayouts(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/payouts/approve', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Cancel a payout before any money may have left. For: the account's owner. `POST /payouts/{id}/cancel` */
    cancel(payoutId, options) {
        const call = { method: 'POST', path: '/payouts/{id}/cancel', ids: [payoutId], keyed: true };
        return this.#send(call, options);
    }
    /** Set the threshold of a year report. Null follows the law. For: the account's owner. `PUT /accounts/{id}/tax-years/{year}` */
    changeTaxYear(accountId, year, body, options) {
        const call = { method: 'PUT', path: '/accounts/{id}/tax-years/{year}', ids: [accountId, year], body, keyed: true };
        return this.#send(call, options);
    }
    /** List what each partner was paid in a calendar year, with approval and tax form. For: the account's owner. `GET /accounts/{id}/tax-years/{year}` */
    listTaxYear(accountId, year, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/tax-years/{year}', ids: [accountId, year], query }, options);
    }
    /** Decide on unknown transfers and resume payouts once none is left. For: the account's owner. `POST /accounts/{id}/payouts/reconciliation/confirm` */
    confirmReconciliation(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/payouts/reconciliation/confirm', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Download the payouts of a partner. For: the account's owner, the partner. `GET /partners/{id}/payouts/csv` */
    downloadPartnerPayouts(partnerId, query, options) {
        const call = { method: 'GET', path: '/partners/{id}/payouts/csv', ids: [partnerId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the ledger entries that a payout pays. For: the account's owner, the partner. `GET /payouts/{id}/entries/csv` */
    downloadEntries(payoutId, query, options) {
        const call = { method: 'GET', path: '/payouts/{id}/entries/csv', ids: [payoutId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download all payouts, or approve due ones into a batch file for Wise. For: the account's owner. `GET /accounts/{id}/payouts/csv` */
    downloadPayouts(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/payouts/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the year report. For: the account's owner. `GET /accounts/{id}/tax-years/{year}/csv` */
    downloadTaxYear(accountId, year, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/tax-years/{year}/csv', ids: [accountId, year], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Retrieve a partner's next paydays and what they bring. For: the account's owner, the partner. `GET /partners/{id}/payouts/forecast` */
    getPartnerForecast(partnerId, options) {
        const call = { method: 'GET', path: '/partners/{id}/payouts/forecast', ids: [partnerId] };
        return this.#send(call, options);
    }
    /** Retrieve a payout. For: the account's owner, the partner. `GET /payouts/{id}` */
    get(payoutId, options) {
        const call = { method: 'GET', path: '/payouts/{id}', ids: [payoutId] };
        return this.#send(call, options);
    }
    /** Retrieve what a person can do now to get partners paid, and how much waits for it. For: the account's owner. `GET /accounts/{id}/payouts/attention` */
    getAttention(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/payouts/attention', ids: [accountId] };
        return this.#send(call, options);
    }
    /** Retrieve the next paydays of an account and what they take. For: the account's owner. `GET /accounts/{id}/payouts/forecast` */
    getForecast(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/payouts/forecast', ids: [accountId] };
        return this.#send(call, options);
    }
    /** Retrieve why payouts are paused, and what was paid beside the ledger. For: the account's owner. `GET /accounts/{id}/payouts/reconciliation` */
    getReconciliation(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/payouts/reconciliation', ids: [accountId] };
        return this.#send(call, options);
    }
    /** Read the transfers of the last 90 days again. For: the account's owner. `POST /accounts/{id}/payouts/reconciliation` */
    startReconciliation(accountId, options) {
        const call = { method: 'POST', path: '/accounts/{id}/payouts/reconciliation', ids: [accountId], keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve the statement of a payout. A page that prints, with all entries, or by Accept a PDF or what stands above the entries as JSON. Paper is that of the PDF: letter for an account in usd, else a4. For: the account's owner, the partner. `GET /payouts/{id}/statement` */
    getStatement(payoutId, query, options) {
        const call = { method: 'GET', path: '/payouts/{id}/statement', ids: [payoutId], query };
        return this.#send(call, options);
    }
    /** Retrieve the totals due now, awaiting funding and paid this year. For: the account's owner. `GET /accounts/{id}/payouts/totals` */
    getTotals(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/payouts/totals', ids: [accountId] };
        return this.#send(call, options);
    }
    /** List the payouts of a partner. For: the account's owner, the partner. `GET /partners/{id}/payouts` */
    listPartnerPayouts(partnerId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/partners/{id}/payouts', ids: [partnerId], query }, options);
    }
    /** List the ledger entries that a payout pays. For: the account's owner, the partner. `GET /payouts/{id}/entries` */
    listEntries(payoutId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/payouts/{id}/entries', ids: [payoutId], query }, options);
    }
    /** List all payouts. From and to are creation dates. For: the account's owner. `GET /accounts/{id}/payouts` */
    list(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/payouts', ids: [accountId], query }, options);
    }
    /** Mark a payout as paid by other means. For: the account's owner. `POST /payouts/{id}/mark-paid` */
    markPaid(payoutId, body, options) {
        const call = { method: 'POST', path: '/payouts/{id}/mark-paid', ids: [payoutId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Mark many payouts as paid by other means. For: the account's owner. `POST /accounts/{id}/payouts/mark-paid` */
    markPayoutsPaid(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/payouts/mark-paid', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Collect what is due, run automatic payouts and refresh open transfers now. For: the account's owner. `POST /accounts/{id}/payouts/refresh` */
    refreshPayouts(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/payouts/refresh', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Retry a failed or unfunded payout. For: the account's owner. `POST /payouts/{id}/retry` */
    retry(payoutId, options) {
        const call = { method: 'POST', path: '/payouts/{id}/retry', ids: [payoutId], keyed: true };
        return this.#send(call, options);
    }
}
export class PaymentProvidersApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Replace the credentials after checking the key, or replace the signing secret. For: the account's owner. `PATCH /accounts/{id}/payment-providers/{connectionId}` */
    changeConnection(accountId, connectionId, body, options) {
        const call = { method: 'PATCH', path: '/accounts/{id}/payment-providers/{connectionId}', ids: [accountId, connectionId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Check with the provider that the connection works. For: the account's owner. `POST /accounts/{id}/payment-providers/{connectionId}/check` */
    checkConnection(accountId, connectionId, options) {
        const call = { method: 'POST', path: '/accounts/{id}/payment-providers/{connectionId}/check', ids: [accountId, connectionId], keyed: true };
        return this.#send(call, options);
    }
    /** Connect a provider after checking its key. For: the account's owner. `POST /accounts/{id}/payment-providers/connect` */
    connectProvider(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/payment-providers/connect', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Disconnect a provider. Its history stays. For: the account's owner. `DELETE /accounts/{id}/payment-providers/disconnect` */
    disconnectProvider(accountId, body, options) {
        const call = { method: 'DELETE', path: '/accounts/{id}/payment-providers/disconnect', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Download all connections to payment providers. For: the account's owner. `GET /accounts/{id}/payment-providers/csv` */
    downloadConnections(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/payment-providers/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download the events received from a provider. For: the account's owner. `GET /accounts/{id}/payment-providers/{connectionId}/events/csv` */
    downloadProviderEvents(accountId, connectionId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/payment-providers/{connectionId}/events/csv', ids: [accountId, connectionId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Start a connection that the owner allows on the provider's own site. Answers where to send them. For: the account's owner. `GET /accounts/{id}/payment-providers/connect-url/{provider}` */
    getConnectUrl(accountId, provider, options) {
        const call = { method: 'GET', path: '/accounts/{id}/payment-providers/connect-url/{provider}', ids: [accountId, provider] };
        return this.#send(call, options);
    }
    /** Import the past sales that a provider remembers. A dry run only says what would be created. For: the account's owner. `POST /accounts/{id}/payment-providers/{connectionId}/imports` */
    importPastSales(accountId, connectionId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/payment-providers/{connectionId}/imports', ids: [accountId, connectionId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List the providers that can be connected, and what each asks for. For: the account's owner. `GET /accounts/{id}/payment-providers/available` */
    listAvailableProviders(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/payment-providers/available', ids: [accountId] };
        return this.#send(call, options);
    }
    /** List the connections to payment providers. For: the account's owner. `GET /accounts/{id}/payment-providers` */
    listConnections(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/payment-providers', ids: [accountId], query }, options);
    }
    /** List the events received from a provider, and what became of each. For: the account's owner. `GET /accounts/{id}/payment-providers/{connectionId}/events` */
    listProviderEvents(accountId, connectionId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/payment-providers/{connectionId}/events', ids: [accountId, connectionId], query }, options);
    }
    /** Try again to process an event that failed or waits. For: the account's owner. `POST /accounts/{id}/payment-providers/{connectionId}/events/{eventId}/retries` */
    retryProviderEvent(accountId, connectionId, eventId, options) {
        const call = { method: 'POST', path: '/accounts/{id}/payment-providers/{connectionId}/events/{eventId}/retries', ids: [accountId, connectionId, eventId], keyed: true };
        return this.#send(call, options);
    }
}
export class OutgoingWebhooksApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Update an outgoing webhook. Turning it on again starts its count of failures at zero. For: the account's owner. `PUT /outgoing-webhooks/{id}` */
    change(outgoingWebhookId, body, options) {
        const call = { method: 'PUT', path: '/outgoing-webhooks/{id}', ids: [outgoingWebhookId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Delete an outgoing webhook and its deliveries. For: the account's owner. `DELETE /outgoing-webhooks/{id}` */
    delete(outgoingWebhookId, options) {
        const call = { method: 'DELETE', path: '/outgoing-webhooks/{id}', ids: [outgoingWebhookId], keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve an outgoing webhook. For: the account's owner. `GET /outgoing-webhooks/{id}` */
    get(outgoingWebhookId, options) {
        const call = { method: 'GET', path: '/outgoing-webhooks/{id}', ids: [outgoingWebhookId] };
        return this.#send(call, options);
    }
    /** Create an outgoing webhook. Only this answer holds its secret. For: the account's owner. `POST /accounts/{id}/outgoing-webhooks` */
    create(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/outgoing-webhooks', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List an account's outgoing webhooks. For: the account's owner. `GET /accounts/{id}/outgoing-webhooks` */
    list(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/outgoing-webhooks', ids: [accountId], query }, options);
    }
    /** Download the deliveries of an outgoing webhook. For: the account's owner. `GET /outgoing-webhooks/{id}/deliveries/csv` */
    downloadOutgoingDeliveries(outgoingWebhookId, query, options) {
        const call = { method: 'GET', path: '/outgoing-webhooks/{id}/deliveries/csv', ids: [outgoingWebhookId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download an account's outgoing webhooks, without their headers. For: the account's owner. `GET /accounts/{id}/outgoing-webhooks/csv` */
    downloadOutgoingWebhooks(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/outgoing-webhooks/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** List the deliveries of an outgoing webhook. For: the account's owner. `GET /outgoing-webhooks/{id}/deliveries` */
    listOutgoingDeliveries(outgoingWebhookId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/outgoing-webhooks/{id}/deliveries', ids: [outgoingWebhookId], query }, options);
    }
    /** List the events an outgoing webhook can send. For: the account's owner. `GET /outgoing-webhooks/events` */
    listWebhookEvents(options) {
        const call = { method: 'GET', path: '/outgoing-webhooks/events' };
        return this.#send(call, options);
    }
    /** Send a delivery again. For: the account's owner. `POST /outgoing-webhooks/{id}/deliveries/{deliveryId}/retries` */
    resendDelivery(outgoingWebhookId, deliveryId, options) {
        const call = { method: 'POST', path: '/outgoing-webhooks/{id}/deliveries/{deliveryId}/retries', ids: [outgoingWebhookId, deliveryId], keyed: true };
        return this.#send(call, options);
    }
    /** Send again all deliveries since then that failed. For: the account's owner. `POST /outgoing-webhooks/{id}/retries` */
    resendFailed(outgoingWebhookId, body, options) {
        const call = { method: 'POST', path: '/outgoing-webhooks/{id}/retries', ids: [outgoingWebhookId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Replace the secret. For 24 hours deliveries are signed with both. For: the account's owner. `POST /outgoing-webhooks/{id}/secret` */
    rotateOutgoingSecret(outgoingWebhookId, options) {
        const call = { method: 'POST', path: '/outgoing-webhooks/{id}/secret', ids: [outgoingWebhookId], keyed: true };
        return this.#send(call, options);
    }
    /** Send a test event. For: the account's owner. `POST /outgoing-webhooks/{id}/test` */
    test(outgoingWebhookId, options) {
        const call = { method: 'POST', path: '/outgoing-webhooks/{id}/test', ids: [outgoingWebhookId], keyed: true };
        return this.#send(call, options);
    }
}
export class IncomingWebhooksApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Update an incoming webhook. For: the account's owner. `PUT /incoming-webhooks/{id}` */
    change(incomingWebhookId, body, options) {
        const call = { method: 'PUT', path: '/incoming-webhooks/{id}', ids: [incomingWebhookId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Delete an incoming webhook. What it made stays. For: the account's owner. `DELETE /incoming-webhooks/{id}` */
    delete(incomingWebhookId, options) {
        const call = { method: 'DELETE', path: '/incoming-webhooks/{id}', ids: [incomingWebhookId], keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve an incoming webhook with its latest sample. For: the account's owner. `GET /incoming-webhooks/{id}` */
    get(incomingWebhookId, options) {
        const call = { method: 'GET', path: '/incoming-webhooks/{id}', ids: [incomingWebhookId] };
        return this.#send(call, options);
    }
    /** Create an incoming webhook. Without a mapping it captures samples. For: the account's owner. `POST /accounts/{id}/incoming-webhooks` */
    create(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/incoming-webhooks', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List an account's incoming webhooks. For: the account's owner. `GET /accounts/{id}/incoming-webhooks` */
    list(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/incoming-webhooks', ids: [accountId], query }, options);
    }
    /** Download the deliveries of an incoming webhook, without payloads. For: the account's owner. `GET /incoming-webhooks/{id}/deliveries/csv` */
    downloadIncomingDeliveries(incomingWebhookId, query, options) {
        const call = { method: 'GET', path: '/incoming-webhooks/{id}/deliveries/csv', ids: [incomingWebhookId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download an account's incoming webhooks, without their addresses. For: the account's owner. `GET /accounts/{id}/incoming-webhooks/csv` */
    downloadIncomingWebhooks(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/incoming-webhooks/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Retrieve a delivery with its whole payload. For: the account's owner. `GET /incoming-webhooks/{id}/deliveries/{deliveryId}` */
    getIncomingDelivery(incomingWebhookId, deliveryId, options) {
        const call = { method: 'GET', path: '/incoming-webhooks/{id}/deliveries/{deliveryId}', ids: [incomingWebhookId, deliveryId] };
        return this.#send(call, options);
    }
    /** List what an incoming webhook received. For: the account's owner. `GET /incoming-webhooks/{id}/deliveries` */
    listIncomingDeliveries(incomingWebhookId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/incoming-webhooks/{id}/deliveries', ids: [incomingWebhookId], query }, options);
    }
    /** Process a delivery that failed or was ignored again. For: the account's owner. `POST /incoming-webhooks/{id}/deliveries/{deliveryId}/replays` */
    replayDelivery(incomingWebhookId, deliveryId, options) {
        const call = { method: 'POST', path: '/incoming-webhooks/{id}/deliveries/{deliveryId}/replays', ids: [incomingWebhookId, deliveryId], keyed: true };
        return this.#send(call, options);
    }
    /** Process all failed deliveries again. For: the account's owner. `POST /incoming-webhooks/{id}/replays` */
    replayFailed(incomingWebhookId, options) {
        const call = { method: 'POST', path: '/incoming-webhooks/{id}/replays', ids: [incomingWebhookId], keyed: true };
        return this.#send(call, options);
    }
    /** Replace the URL. The former one works for 24 more hours. For: the account's owner. `POST /incoming-webhooks/{id}/secret` */
    rotateIncomingUrl(incomingWebhookId, options) {
        const call = { method: 'POST', path: '/incoming-webhooks/{id}/secret', ids: [incomingWebhookId], keyed: true };
        return this.#send(call, options);
    }
    /** See what a payload would make. Nothing is kept. For: the account's owner. `POST /incoming-webhooks/{id}/test` */
    test(incomingWebhookId, body, options) {
        const call = { method: 'POST', path: '/incoming-webhooks/{id}/test', ids: [incomingWebhookId], body, keyed: true };
        return this.#send(call, options);
    }
}
export class ImportsApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Stop an import. What it has created stays, until it is undone. For: the account's owner. `POST /imports/{id}/cancel` */
    cancel(importId, options) {
        const call = { method: 'POST', path: '/imports/{id}/cancel', ids: [importId], keyed: true };
        return this.#send(call, options);
    }
    /** Import a file of partners, leads, sales or payouts. A dry run only says what would be created. For: the account's owner. `POST /accounts/{id}/imports` */
    create(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/imports', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List imports. For: the account's owner. `GET /accounts/{id}/imports` */
    list(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/imports', ids: [accountId], query }, options);
    }
    /** Download the rows that failed, as they were in the file, each with its row, field and message. For: the account's owner. `GET /imports/{id}/errors` */
    downloadErrors(importId, options) {
        const call = { method: 'GET', path: '/imports/{id}/errors', ids: [importId], answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Download all imports. For: the account's owner. `GET /accounts/{id}/imports/csv` */
    downloadImports(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/imports/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Retrieve an import with its progress. For: the account's owner. `GET /imports/{id}` */
    get(importId, options) {
        const call = { method: 'GET', path: '/imports/{id}', ids: [importId] };
        return this.#send(call, options);
    }
    /** Read the beginning of a file: its columns, first rows, and how they would be mapped. For: the account's owner. `POST /accounts/{id}/imports/preview` */
    preview(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/imports/preview', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Undo an import within a day, while nothing was paid from it and nothing else depends on it. For: the account's owner. `POST /imports/{id}/undo` */
    undo(importId, options) {
        const call = { method: 'POST', path: '/imports/{id}/undo', ids: [importId], keyed: true };
        return this.#send(call, options);
    }
}
export class RehearsalsApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Retrieve how a rehearsal goes, or went. It is forgotten after a day. For: the account's owner. `GET /accounts/{id}/rehearsals/{rehearsalId}` */
    get(accountId, rehearsalId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/rehearsals/{rehearsalId}', ids: [accountId, rehearsalId] };
        return this.#send(call, options);
    }
    /** Play a sale through: from the click to the refund, counted nowhere and gone afterwards. For: the account's owner. `POST /accounts/{id}/rehearsals` */
    start(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/rehearsals', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
}
export class ApiKeysApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Create an API key. Only this answer holds it. For: the account's owner. `POST /accounts/{id}/api-keys` */
    create(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/api-keys', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** List the account's API keys. For: the account's owner. `GET /accounts/{id}/api-keys` */
    list(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/api-keys', ids: [accountId], query }, options);
    }
    /** Delete an API key. It stops working at once. For: the account's owner. `DELETE /accounts/{id}/api-keys/{keyId}` */
    delete(accountId, keyId, options) {
        const call = { method: 'DELETE', path: '/accounts/{id}/api-keys/{keyId}', ids: [accountId, keyId], keyed: true };
        return this.#send(call, options);
    }
    /** Download all API keys, without the keys themselves. For: the account's owner. `GET /accounts/{id}/api-keys/csv` */
    downloadApiKeys(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/api-keys/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Replace an API key with a new one of the same name and rights. The old one works for 24 more hours. For: the account's owner. `POST /accounts/{id}/api-keys/{keyId}/rotations` */
    rotate(accountId, keyId, options) {
        const call = { method: 'POST', path: '/accounts/{id}/api-keys/{keyId}/rotations', ids: [accountId, keyId], keyed: true };
        return this.#send(call, options);
    }
}
export class PushApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Download the last 100 push calls. For: the account's owner. `GET /accounts/{id}/push-requests/csv` */
    downloadRequests(accountId, query, options) {
        const call = { method: 'GET', path: '/accounts/{id}/push-requests/csv', ids: [accountId], query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** List the last 100 push calls, including refused ones. For: the account's owner. `GET /accounts/{id}/push-requests` */
    listRequests(accountId, query, options) {
        return listOf(this.#send, { method: 'GET', path: '/accounts/{id}/push-requests', ids: [accountId], query }, options);
    }
    clicks(body, options) {
        const call = { method: 'POST', path: '/push/clicks', body, keyed: true, by: 'apiKey' };
        return this.#send(call, options);
    }
    leads(body, options) {
        const call = { method: 'POST', path: '/push/leads', body, keyed: true, by: 'apiKey' };
        return this.#send(call, options);
    }
    refunds(body, options) {
        const call = { method: 'POST', path: '/push/refunds', body, keyed: true, by: 'apiKey' };
        return this.#send(call, options);
    }
    sales(body, options) {
        const call = { method: 'POST', path: '/push/sales', body, keyed: true, by: 'apiKey' };
        return this.#send(call, options);
    }
}
export class EmbedApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Retrieve what the script has found. For: the account's owner. `GET /accounts/{id}/embed-code/checks/{checkId}` */
    getCheck(accountId, checkId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/embed-code/checks/{checkId}', ids: [accountId, checkId] };
        return this.#send(call, options);
    }
    /** Retrieve the embed code settings. 404 while there are none. For: the account's owner. `GET /accounts/{id}/embed-code` */
    getCode(accountId, options) {
        const call = { method: 'GET', path: '/accounts/{id}/embed-code', ids: [accountId] };
        return this.#send(call, options);
    }
    /** Create or update the embed code settings. For: the account's owner. `PUT /accounts/{id}/embed-code` */
    saveCode(accountId, body, options) {
        const call = { method: 'PUT', path: '/accounts/{id}/embed-code', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
    /** Open a page to see which elements the script finds on it. For: the account's owner. `POST /accounts/{id}/embed-code/checks` */
    startCheck(accountId, body, options) {
        const call = { method: 'POST', path: '/accounts/{id}/embed-code/checks', ids: [accountId], body, keyed: true };
        return this.#send(call, options);
    }
}
export class MailApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Turn the mails that a link is about off, or on again. For: the bearer of a set-up or reset link. `PUT /mail/subscription` */
    changeSubscription(body, options) {
        const call = { method: 'PUT', path: '/mail/subscription', body, keyed: true };
        return this.#send(call, options);
    }
    /** Retrieve what the link of a mail turns off. For: the bearer of a set-up or reset link. `GET /mail/subscription` */
    getSubscription(options) {
        const call = { method: 'GET', path: '/mail/subscription' };
        return this.#send(call, options);
    }
    /** Download the mails of the last 90 days and what became of each, without their texts. For: administrators. `GET /mail/log/csv` */
    downloadLoggedMails(query, options) {
        const call = { method: 'GET', path: '/mail/log/csv', query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Retrieve a mail, with its text while no mail server is set. For: administrators. `GET /mail/log/{id}` */
    getLoggedMail(logId, options) {
        const call = { method: 'GET', path: '/mail/log/{id}', ids: [logId] };
        return this.#send(call, options);
    }
    /** Retrieve a kind of mail as it reads with made-up data. For: administrators. `GET /mail/previews/{kind}` */
    getPreview(kind, options) {
        const call = { method: 'GET', path: '/mail/previews/{kind}', ids: [kind] };
        return this.#send(call, options);
    }
    /** Retrieve how mail is sent. Without a mail server it is kept in the outbox. For: administrators. `GET /mail/status` */
    getStatus(options) {
        const call = { method: 'GET', path: '/mail/status' };
        return this.#send(call, options);
    }
    /** List the mails of the last 90 days and what became of each. For: administrators. `GET /mail/log` */
    listLoggedMails(query, options) {
        return listOf(this.#send, { method: 'GET', path: '/mail/log', query }, options);
    }
    /** List the groups of mails that the signed-in user may get. `preferences.mail` of the user turns them off. For: everyone signed in. `GET /mail/choices` */
    listChoices(options) {
        const call = { method: 'GET', path: '/mail/choices' };
        return this.#send(call, options);
    }
    /** List the kinds of mail there are. For: administrators. `GET /mail/previews` */
    listPreviews(options) {
        const call = { method: 'GET', path: '/mail/previews' };
        return this.#send(call, options);
    }
    /** Send a test mail. Its line in the log says what became of it. For: administrators. `POST /mail/tests` */
    sendTestMail(body, options) {
        const call = { method: 'POST', path: '/mail/tests', body, keyed: true };
        return this.#send(call, options);
    }
}
export class SystemApi {
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Download the events and jobs that failed every try. For: administrators. `GET /admin/system/parked/csv` */
    downloadParked(query, options) {
        const call = { method: 'GET', path: '/admin/system/parked/csv', query, answers: 'text/csv' };
        return this.#send(call, options);
    }
    /** Retrieve how this install is doing. For: administrators. `GET /admin/system` */
    get(options) {
        const call = { method: 'GET', path: '/admin/system' };
        return this.#send(call, options);
    }
    /** List the events and jobs that failed every try. For: administrators. `GET /admin/system/parked` */
    listParked(query, options) {
        return listOf(this.#send, { method: 'GET', path: '/admin/system/parked', query }, options);
    }
    /** Try everything that is parked again. For: administrators. `POST /admin/system/parked/retry` */
    retryAllParked(options) {
        const call = { method: 'POST', path: '/admin/system/parked/retry', keyed: true };
        return this.#send(call, options);
    }
    /** Try a parked event or job again. For: administrators. `POST /admin/system/parked/{id}/retry` */
    retryParked(parkedId, options) {
        const call = { method: 'POST', path: '/admin/system/parked/{id}/retry', ids: [parkedId], keyed: true };
        return this.#send(call, options);
    }
}
export class Api {
    auth;
    users;
    accounts;
    partners;
    links;
    leads;
    sales;
    commissions;
    payouts;
    paymentProviders;
    outgoingWebhooks;
    incomingWebhooks;
    imports;
    rehearsals;
    apiKeys;
    push;
    embed;
    mail;
    system;
    constructor(send) {
        this.auth = new AuthApi(send);
        this.users = new UsersApi(send);
        this.accounts = new AccountsApi(send);
        this.partners = new PartnersApi(send);
        this.links = new LinksApi(send);
        this.leads = new LeadsApi(send);
        this.sales = new SalesApi(send);
        this.commissions = new CommissionsApi(send);
        this.payouts = new PayoutsApi(send);
        this.paymentProviders = new PaymentProvidersApi(send);
        this.outgoingWebhooks = new OutgoingWebhooksApi(send);
        this.incomingWebhooks = new IncomingWebhooksApi(send);
        this.imports = new ImportsApi(send);
        this.rehearsals = new RehearsalsApi(send);
        this.apiKeys = new ApiKeysApi(send);
        this.push = new PushApi(send);
        this.embed = new EmbedApi(send);
        this.mail = new MailApi(send);
        this.system = new SystemApi(send);
    }
}
