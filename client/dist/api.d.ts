import type { List, OneOrMany, Page } from './list.ts';
import { type CallOptions, type Send } from './send.ts';
export type ErrorCode = "malformed_request" | "unauthenticated" | "invalid_credentials" | "token_expired" | "forbidden" | "account_disabled" | "recent_sign_in_required" | "not_found" | "not_acceptable" | "conflict" | "duplicate" | "invalid_state" | "payout_blocked" | "payout_changed" | "idempotency_mismatch" | "in_use" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "rate_limited" | "internal_error" | "provider_failed" | "unavailable";
export interface Account {
    id: string;
    name: string | null;
    displayName: string;
    publicId: string;
    apiKey: string | null;
    defaultCurrency: string;
    defaultCommissionSettings: {
        layerRates: number[];
    };
    invitationsFromPartners: boolean;
    autoPayoutsEnabled: boolean;
    payoutDelay: number;
    minimumPayout: number;
    timeZone: string;
    leadProtectionDays: number;
    attributionModel: "last-touch" | "first-touch";
    partnerVisibility: {
        leadNames: boolean;
        leadEmails: boolean;
        saleAmounts: boolean;
    };
    partnerLeadSubmission: boolean;
    recurringMonths: number | null;
    selfReferralPolicy: "allow" | "flag" | "hold" | "refuse";
    owner: User | null;
    ownerInvitation: OwnerInvitation | null;
    supportEmail: string | null;
    disabledAt: string | null;
    disabledReason: string | null;
    createdAt: string;
    updatedAt: string;
}
export interface AccountForPartner {
    id: string;
    name: string | null;
    displayName: string;
    defaultCurrency: string;
    timeZone: string;
    invitationsFromPartners: boolean;
    partnerLeadSubmission: boolean;
    payoutDelay: number;
    minimumPayout: number;
    supportEmail: string | null;
    disabledAt: string | null;
}
export interface AccountWithStats {
    id: string;
    name: string | null;
    displayName: string;
    publicId: string;
    apiKey: string | null;
    defaultCurrency: string;
    defaultCommissionSettings: {
        layerRates: number[];
    };
    invitationsFromPartners: boolean;
    autoPayoutsEnabled: boolean;
    payoutDelay: number;
    minimumPayout: number;
    timeZone: string;
    leadProtectionDays: number;
    attributionModel: "last-touch" | "first-touch";
    partnerVisibility: {
        leadNames: boolean;
        leadEmails: boolean;
        saleAmounts: boolean;
    };
    partnerLeadSubmission: boolean;
    recurringMonths: number | null;
    selfReferralPolicy: "allow" | "flag" | "hold" | "refuse";
    owner: User | null;
    ownerInvitation: OwnerInvitation | null;
    supportEmail: string | null;
    disabledAt: string | null;
    disabledReason: string | null;
    createdAt: string;
    updatedAt: string;
    stats: Stats;
}
export interface AddedPartner {
    status: number;
    id: string | null;
    error: RowError | null;
    invitationUrl: string | null;
}
export interface ApiKey {
    id: string;
    name: string;
    rights: ("push" | "read")[];
    lastFour: string;
    lastUsedAt: string | null;
    createdAt: string;
    expiresAt: string | null;
    replacedBy: string | null;
}
export interface ApiKeyWithKey {
    id: string;
    name: string;
    rights: ("push" | "read")[];
    lastFour: string;
    lastUsedAt: string | null;
    createdAt: string;
    expiresAt: string | null;
    replacedBy: string | null;
    key: string;
}
export interface ApprovalPreview {
    count: number;
    amount: number;
    feeEstimate: number | null;
    excluded: {
        id: string;
        error: RowError;
    }[];
}
export interface ApprovalResults {
    results: {
        id: string;
        status: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled" | null;
        error: RowError | null;
    }[];
}
export interface AuditRow {
    id: string;
    at: string;
    actor: {
        type: "user" | "api-key" | "system";
        id: string | null;
        name: string | null;
    };
    network: string | null;
    action: string;
    subject: {
        type: string;
        id: string | null;
        name: string | null;
    };
    changes: Record<string, {
        old: unknown;
        new: unknown;
    }>;
    names: Record<string, string>;
    currency: string | null;
}
export interface AutoPayoutSettings {
    enabled: boolean;
    wiseProfile: WiseProfile | null;
    wiseProfilesAvailable: WiseProfile[];
    wiseTokenHint: string | null;
    wiseError: string | null;
    maxPerPayout: number | null;
    maxPerRun: number | null;
}
export interface AvailableProvider {
    provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic";
    name: string;
    methods: ("oauth" | "credentials")[];
    remembers: boolean;
    fields: {
        key: string;
        label: string;
        help: string | null;
        secret: boolean;
        optional: boolean;
    }[];
    signingField: string;
}
export interface Balance {
    partnerId: string;
    partnerName: string;
    currency: string;
    held: number;
    due: number;
    onHold: number;
    inPayout: number;
    paid: number;
    nextPayoutDate: string | null;
    dueSince: string | null;
    blockers: Blocker[];
}
export interface BalanceTotals {
    currency: string;
    held: number;
    due: number;
    onHold: number;
    count: number;
}
export interface Blocker {
    code: "no-deposit-info" | "not-approved-this-year" | "below-minimum" | "negative-balance" | "on-hold-fraud" | "deposit-info-changed-recently" | "payouts-not-configured" | "currency-unsupported" | "wise-rejected-recipient" | "partner-disabled";
    message: string;
}
export interface BlueprintLink {
    partnerId: string;
    displayName: string;
    url: string;
    shortUrl: string;
    clicks: number;
    leads: number;
    sales: number;
}
export interface CommissionPreview {
    currency: string;
    accountAmount: number | null;
    entries: {
        partnerId: string;
        displayName: string;
        layer: number;
        rate: number;
        amount: number;
    }[];
    total: number;
    profit: number | null;
    unearned: {
        why: "no-partner" | "zero-rates";
        source: "partner" | "link" | "account" | null;
    } | null;
    dueOn: string;
}
export interface CommissionTotals {
    count: number;
    amount: number;
    held: number;
    due: number;
    inPayout: number;
    paid: number;
}
export interface Connection {
    id: string;
    accountId: string;
    createdAt: string;
    provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic";
    accountName: string | null;
    defaultCurrency: string | null;
    providerAccountIdentifier: string | null;
    method: "oauth" | "credentials";
    livemode: boolean;
    state: "connected" | "attention" | "disconnected";
    stateReason: string | null;
    webhookUrl: string | null;
    webhookSecretSet: boolean;
    lastEventAt: string | null;
    eventsLast24h: number;
    reconciledAt: string | null;
}
export interface Dashboard {
    current: Stats;
    previous: Stats;
    history: HistoricalStats;
    topPartners: {
        partnerId: string;
        displayName: string;
        numberOfSales: number;
        salesRevenue: number;
    }[];
    topLinks: {
        blueprintId: string;
        name: string;
        clicks: number;
        sales: number;
    }[];
    latestSales: Sale[];
    attention: {
        kind: "unanswered-leads" | "blocked-payouts" | "unhealthy-provider" | "failing-webhook" | "unattributed-leads" | "sales-on-hold";
        count: number;
        amount: number | null;
        link: string;
    }[];
    checklist: {
        step: "payment-provider" | "partner" | "link" | "embed-or-api" | "sale" | "payouts";
        done: boolean;
    }[];
}
export interface EarlierSales {
    sales: {
        count: number;
        amount: number;
    };
    commission: number;
}
export interface EmbedCheck {
    matched: {
        firstName: boolean;
        lastName: boolean;
        email: boolean;
        phone: boolean;
        fieldsContainer: boolean;
        submitButton: boolean;
    } | null;
}
export interface EmbedCode {
    id: string;
    createdAt: string;
    updatedAt: string;
    config: EmbedConfig;
    domains: string[];
    onlyIfReferred: boolean;
    consentMode: "off" | "required" | "cookieless";
    path: string | null;
    snippet: string;
    lastLeadAt: string | null;
    refusedLeads: number;
    lastRefusedOrigin: string | null;
}
export interface EmbedConfig {
    firstName: {
        key: "firstName";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
    lastName: {
        key: "lastName";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
    email: {
        key: "email";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
    phone: {
        key: "phone";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
    fieldsContainer: {
        key: "fieldsContainer";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
    submitButton: {
        key: "submitButton";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
}
export interface EmbedConfigInput {
    firstName: {
        key: "firstName";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
    lastName: {
        key: "lastName";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
    email: {
        key: "email";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
    phone: {
        key: "phone";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
    fieldsContainer: {
        key: "fieldsContainer";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
    submitButton: {
        key: "submitButton";
        selectorType: "id" | "class" | "name" | "default" | "query-selector";
        selectorValue: string;
    };
}
export interface Entry {
    id: string;
    saleId: string | null;
    refundId: string | null;
    partnerId: string;
    partnerName: string;
    layer: number | null;
    rate: number | null;
    baseAmount: number | null;
    amount: number;
    currency: string;
    kind: "earned" | "reversal" | "restoration" | "adjustment" | "bonus";
    status: "held" | "due" | "in-payout" | "paid" | "on-hold" | "void";
    availableAt: string;
    payoutId: string | null;
    reason: string | null;
    createdAt: string;
}
export interface EntryTotals {
    count: number;
    amount: number;
}
export interface EntryWithSale {
    id: string;
    saleId: string | null;
    refundId: string | null;
    partnerId: string;
    partnerName: string;
    layer: number | null;
    rate: number | null;
    baseAmount: number | null;
    amount: number;
    currency: string;
    kind: "earned" | "reversal" | "restoration" | "adjustment" | "bonus";
    status: "held" | "due" | "in-payout" | "paid" | "on-hold" | "void";
    availableAt: string;
    payoutId: string | null;
    reason: string | null;
    createdAt: string;
    saleDate: string | null;
    saleDescription: string | null;
    lead: {
        id: string;
        name: string;
    } | null;
    refund: {
        kind: "refund" | "dispute";
        at: string;
    } | null;
    hold: {
        until: string | null;
        reason: string;
    } | null;
}
export interface ExchangeRate {
    currency: string;
    date: string;
    rate: number;
    source: "entered" | "ecb";
}
export interface HistoricalStats {
    startDate: string;
    endDate: string;
    period: "day" | "week" | "month";
    currency: string;
    deltas: {
        date: string;
        numberOfPartners: number;
        numberOfLeads: number;
        numberOfSales: number;
        salesRevenue: number | null;
        salesRevenueShare: number;
        salesProfit: number | null;
        numberOfClicks: number;
    }[];
}
export interface Import {
    id: string;
    kind: "partners" | "leads" | "sales" | "payouts" | "past-sales";
    format: string | null;
    connectionId: string | null;
    state: "waiting" | "running" | "done" | "failed" | "canceled" | "undoing" | "undone";
    reason: string | null;
    dryRun: boolean;
    total: number | null;
    done: number;
    created: number;
    undone: number;
    skipped: number;
    failed: number;
    totals: {
        currency: string;
        count: number;
        amount: number;
    }[];
    unattributed: number;
    settled: {
        currency: string;
        count: number;
        amount: number;
    }[];
    assigned: number;
    warnings: {
        row: number | null;
        message: string;
    }[];
    errors: {
        row: number;
        field: string | null;
        message: string;
    }[];
    skips: {
        row: number;
        message: string;
    }[];
    mapping: {
        field: string;
        column: string | null;
        transform: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant" | "day-first-date" | "paid-or-not" | "first-name" | "last-name";
        default: string | null;
    }[] | null;
    from: string | null;
    to: string | null;
    undoableUntil: string | null;
    createdAt: string;
    finishedAt: string | null;
}
export interface ImportPreview {
    columns: string[];
    rows: string[][];
    kind: "partners" | "leads" | "sales" | "payouts" | null;
    format: string;
    formatName: string | null;
    sure: "certain" | "guess" | "saved";
    mapping: {
        field: string;
        column: string | null;
        transform: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant" | "day-first-date" | "paid-or-not" | "first-name" | "last-name";
        default: string | null;
    }[];
    formats: {
        format: string;
        name: string;
    }[];
}
export interface IncomingDelivery {
    id: string;
    state: "received" | "processed" | "ignored" | "failed" | "replayed";
    payload: unknown;
    payloadBytes: number | null;
    reason: string | null;
    fields: Record<string, string> | null;
    made: {
        type: "lead" | "sale" | "refund";
        id: string;
    } | null;
    receivedAt: string;
}
export interface IncomingRehearsal {
    state: "processed" | "ignored" | "failed";
    reason: string | null;
    fields: Record<string, string> | null;
    values: Record<string, unknown>;
    made: {
        type: "lead" | "sale" | "refund";
        created: boolean;
        object: unknown;
    } | null;
}
export interface IncomingWebhook {
    id: string;
    accountId: string;
    name: string;
    target: "lead" | "sale" | "refund" | "lead-status";
    url: string | null;
    state: "capturing" | "active" | "disabled";
    enabled: boolean;
    auth: {
        type: "url-secret";
    } | {
        type: "header-hmac";
        header: string;
        algorithm: "sha256";
        encoding: "hex" | "base64";
        prefix: string | null;
        signed: "body" | "timestamp-dot-body" | "timestamp-colon-body" | "method-url-body-timestamp";
        timestampHeader: string | null;
    } | {
        type: "basic";
        username: string;
    };
    mapping: {
        field: string;
        path: string | null;
        transform: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant";
        default: string | null;
    }[];
    partnerMatch: {
        by: "referralCode" | "email" | "id" | "clickId";
        path: string;
    } | null;
    filters: {
        path: string;
        equals: string;
    }[];
    dedupePath: string | null;
    allowedIps: string[];
    sample: unknown;
    guesses: {
        field: string;
        path: string;
        transform: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant";
    }[];
    lastReceivedAt: string | null;
    counts: {
        processed: number;
        ignored: number;
        failed: number;
    };
    createdAt: string;
    updatedAt: string;
}
export interface Invitation {
    status: "pending" | "sent" | "bounced" | "opened" | "accepted" | "expired" | "revoked";
    sentAt: string | null;
    expiresAt: string | null;
    acceptedAt: string | null;
    sendCount: number;
    lastError: string | null;
    mailed: boolean;
    url: string | null;
}
export interface KeptMail {
    id: string;
    kind: string;
    title: string;
    email: string;
    subject: string | null;
    state: "waiting" | "sent" | "kept" | "refused" | "failed" | "skipped";
    reason: string | null;
    tries: number;
    lastTriedAt: string | null;
    createdAt: string;
    text: string | null;
    file: string | null;
}
export interface Lead {
    id: string;
    accountId: string;
    partnerId: string | null;
    partnerName: string | null;
    blueprintId: string | null;
    clickId: string | null;
    firstName: string | null;
    lastName: string | null;
    displayName: string;
    email: string | null;
    phone: string | null;
    company: string | null;
    externalId: string | null;
    source: "embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner";
    status: "new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate";
    statusReason: string | null;
    sharedNote: string | null;
    protectedUntil: string | null;
    landingUrl: string | null;
    referrer: string | null;
    metadata: Record<string, string>;
    duplicateOfId: string | null;
    attribution: {
        model: "last-touch" | "first-touch";
        matchedBy: "click" | "code" | "coupon" | "manual" | "email";
        at: string;
    } | null;
    selfReferral: "refuse" | "hold" | "flag" | null;
    stats: LeadStats;
    createdAt: string;
    updatedAt: string;
}
export interface LeadEvent {
    at: string;
    type: string;
    actor: string | null;
    text: string;
    link: string | null;
}
export interface LeadHistoricalStats {
    startDate: string;
    endDate: string;
    period: "day" | "week" | "month";
    currency: string;
    deltas: {
        date: string;
        numberOfSales: number;
        salesRevenue: number | null;
        salesRevenueShare: number;
        salesProfit: number | null;
    }[];
}
export interface LeadStats {
    numberOfSales: number;
    salesRevenue: number | null;
    salesRevenueShare: number;
    salesProfit: number | null;
    currency: string;
}
export interface LeadSubmission {
    at: string;
    source: "embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner";
    body: unknown;
}
export interface LinkBlueprint {
    id: string;
    key: string;
    accountId: string;
    name: string;
    destinationUrl: string;
    domain: string;
    parameterName: string;
    utm: Utm;
    cookieDays: number;
    attributionModel: "last-touch" | "first-touch";
    passthroughQuery: boolean;
    commissionSettings: {
        layerRates: number[];
    } | null;
    enabled: boolean;
    stats: LinkStats;
    createdAt: string;
    updatedAt: string;
}
export interface LinkStats {
    clicks: number;
    uniqueClicks: number;
    leads: number;
    sales: number;
    revenue: number;
}
export interface LinkTest {
    reachable: boolean;
    status: number | null;
    redirectsTo: string | null;
    parameterKept: boolean | null;
}
export interface LoggedMail {
    id: string;
    kind: string;
    title: string;
    email: string;
    subject: string | null;
    state: "waiting" | "sent" | "kept" | "refused" | "failed" | "skipped";
    reason: string | null;
    tries: number;
    lastTriedAt: string | null;
    createdAt: string;
}
export interface MailChoice {
    group: "security" | "invitations" | "leads" | "sales" | "payouts" | "reminders" | "integrations" | "install" | "summaries";
    title: string;
    description: string;
    optional: boolean;
    enabled: boolean;
}
export interface MailPreview {
    kind: string;
    title: string;
    description: string;
    subject: string;
    page: string;
}
export interface MailServer {
    host: string;
    port: number;
}
export interface MailSubscription {
    group: "security" | "invitations" | "leads" | "sales" | "payouts" | "reminders" | "integrations" | "install" | "summaries";
    title: string;
    enabled: boolean;
}
export interface Me {
    id: string;
    email: string;
    firstName: string | null;
    lastName: string | null;
    roles: Role[];
    createdAt: string;
    updatedAt: string;
    preferences: Record<string, unknown>;
    environment: "local" | "staging" | "production";
}
export interface NewPushedClick {
    blueprintKey?: string | null;
    referralCode: string;
    url?: string | null;
    referrer?: string | null;
    ip?: string | null;
    userAgent?: string | null;
    at?: string | null;
}
export interface NewPushedLead {
    firstName?: string | null;
    lastName?: string | null;
    email?: string | null;
    phone?: string | null;
    company?: string | null;
    externalId?: string | null;
    metadata?: Record<string, string>;
    referralCode?: string | null;
    partnerId?: string | null;
    clickId?: string | null;
}
export interface NewPushedRefund {
    externalId: string;
    saleExternalId: string;
    amount?: number | null;
    reason?: string | null;
}
export interface NewPushedSale {
    externalId: string;
    leadExternalId?: string | null;
    email?: string | null;
    leadId?: string | null;
    referralCode?: string | null;
    promotionCode?: string | null;
    amount: number;
    currency?: string | null;
    saleDate?: string | null;
    taxAmount?: number | null;
    subscriptionId?: string | null;
    description?: string | null;
    metadata?: Record<string, string> | null;
}
export interface NewRehearsal {
    partnerId?: string | null;
    blueprintId?: string | null;
    amount?: number | null;
}
export interface OutgoingDelivery {
    id: string;
    eventId: string;
    event: string;
    state: "pending" | "delivered" | "retrying" | "failed";
    code: number | null;
    durationMs: number | null;
    attempts: number;
    nextAttemptAt: string | null;
    requestBody: string | null;
    responseBody: string | null;
    createdAt: string;
}
export interface OutgoingWebhook {
    id: string;
    accountId: string;
    name: string;
    url: string;
    events: ("*" | "lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy")[];
    headers: Record<string, string>;
    enabled: boolean;
    disabledReason: string | null;
    consecutiveFailures: number;
    lastDeliveryAt: string | null;
    createdAt: string;
    updatedAt: string;
}
export interface OutgoingWebhookWithSecret {
    id: string;
    accountId: string;
    name: string;
    url: string;
    events: ("*" | "lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy")[];
    headers: Record<string, string>;
    enabled: boolean;
    disabledReason: string | null;
    consecutiveFailures: number;
    lastDeliveryAt: string | null;
    createdAt: string;
    updatedAt: string;
    secret: string;
}
export interface OwnerInvitation {
    status: "pending" | "sent" | "bounced" | "opened" | "accepted" | "expired" | "revoked";
    sentAt: string | null;
    expiresAt: string | null;
    mailed: boolean;
    url: string | null;
    presentOwner: string | null;
}
export interface Pace {
    currency: string;
    startDate: string;
    endDate: string;
    previousStartDate: string;
    previousEndDate: string;
    current: number;
    previous: number;
    days: {
        current: number | null;
        previous: number | null;
    }[];
    partners: {
        partnerId: string;
        displayName: string;
        current: number;
        previous: number;
    }[];
    otherPartners: {
        current: number;
        previous: number;
    };
    newLeads: {
        count: number;
        amount: number;
        top: {
            leadId: string;
            displayName: string;
            amount: number;
        }[];
    };
    lostLeads: {
        count: number;
        amount: number;
        top: {
            leadId: string;
            displayName: string;
            amount: number;
        }[];
    };
    otherLeads: {
        current: number;
        previous: number;
    };
}
export interface Parked {
    id: string;
    kind: "event" | "job";
    name: string;
    reason: string | null;
    tries: number;
    createdAt: string;
    keptUntil: string | null;
}
export interface Partner {
    id: string;
    accountId: string;
    parentPartnerId: string | null;
    firstName: string | null;
    lastName: string | null;
    displayName: string;
    email: string;
    note?: string | null;
    referralCode: string;
    commissionSettings: {
        layerRates: number[];
    } | null;
    effectiveCommissionSettings: {
        layerRates: number[];
    } | null;
    approvedPayoutYears: number[] | null;
    approvedForPayouts: boolean | null;
    state: "invited" | "active" | "suspended" | "archived";
    invitationStatus: "pending" | "sent" | "bounced" | "opened" | "accepted" | "expired" | "revoked" | null;
    balanceDue: number | null;
    taxForm: {
        kind: "w-9" | "w-8ben" | "w-8ben-e";
        receivedOn: string;
    } | null;
    stats: Stats;
    createdAt: string;
    updatedAt: string;
}
export interface PartnerHistoricalStats {
    startDate: string;
    endDate: string;
    period: "day" | "week" | "month";
    currency: string;
    deltas: {
        date: string;
        numberOfPartners: number;
        numberOfLeads: number;
        numberOfSales: number;
        salesRevenue: number | null;
        salesRevenueShare: number;
        salesProfit: number | null;
        numberOfClicks: number;
        subPartnersShare: number;
    }[];
}
export interface PartnerLink {
    blueprintId: string;
    name: string;
    url: string;
    shortUrl: string;
    clicks: number;
    leads: number;
    sales: number;
}
export interface PartnerTold {
    id: string;
    accountId: string;
    parentPartnerId: string | null;
    firstName: string | null;
    lastName: string | null;
    displayName: string;
    email: string;
    referralCode: string;
    commissionSettings: {
        layerRates: number[];
    } | null;
    effectiveCommissionSettings: {
        layerRates: number[];
    } | null;
    approvedPayoutYears: number[] | null;
    approvedForPayouts: boolean | null;
    state: "invited" | "active" | "suspended" | "archived";
    invitationStatus: "pending" | "sent" | "bounced" | "opened" | "accepted" | "expired" | "revoked" | null;
    balanceDue: number | null;
    taxForm: {
        kind: "w-9" | "w-8ben" | "w-8ben-e";
        receivedOn: string;
    } | null;
    stats: Stats;
    createdAt: string;
    updatedAt: string;
}
export interface Payday {
    date: string;
    amount: number;
    count: number;
    destination?: string;
}
export interface Payout {
    id: string;
    accountId: string;
    partnerId: string;
    partnerName: string;
    amount: number;
    currency: string;
    status: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled";
    method: "wise" | "manual" | "csv";
    blockers: Blocker[];
    periodStart: string | null;
    periodEnd: string | null;
    scheduledFor: string | null;
    approvedAt: string | null;
    approvedBy: string | null;
    sentAt: string | null;
    paidAt: string | null;
    paidOn: string | null;
    failureReason: string | null;
    externalReference: string | null;
    statementNumber: number;
    detailsVersion: string | null;
    attempts: PayoutAttempt[];
    createdAt: string;
    updatedAt: string;
}
export interface PayoutAttempt {
    id: string;
    wiseTransferId: string | null;
    state: string;
    fee: number | null;
    rate: number | null;
    error: string | null;
    at: string;
}
export interface PayoutAttention {
    items: {
        kind: "approve" | "fund" | "remind" | "approve-year" | "fix-details" | "retry" | "reconnect";
        message: string;
        count: number;
        amount: number;
        method: "wise" | "manual" | "csv" | null;
        partnerIds: string[];
    }[];
}
export interface PayoutDetailsState {
    partnerId: string;
    enabled: boolean;
    updatedAt: string;
}
export interface PayoutForecast {
    currency: string;
    days: Payday[];
    blocked: {
        amount: number;
        count: number;
    };
}
export interface PayoutReconciliation {
    pausedAt: string | null;
    webhooksPaused: boolean;
    readAt: string | null;
    problem: string | null;
    currency: string;
    counts: {
        same: number;
        ahead: number;
        unknown: number;
        missing: number;
        dismissed: number;
    };
    transfers: ReadTransfer[];
}
export interface PayoutResults {
    rows: {
        row: number;
        reference: string | null;
        payoutId: string | null;
        partnerName: string | null;
        amount: number | null;
        was: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled" | null;
        becomes: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled" | null;
        error: RowError | null;
    }[];
    applied: number;
}
export interface PayoutSettings {
    enabled: boolean;
    depositInfo: {
        legalType: "PRIVATE" | "BUSINESS";
        name: string;
        routingNumber: string;
        accountNumber: string;
        accountType: "CHECKING" | "SAVINGS";
        address: {
            country: string;
            state: string;
            city: string;
            addressLine: string;
            zipCode: string;
        };
    } | null;
    updatedAt: string | null;
    formOnFile: boolean;
}
export interface PayoutStatement {
    payout: Payout;
    accountName: string;
    timeZone: string;
    destination: string | null;
    numberOfEntries: number;
    sums: {
        kind: "earned" | "reversal" | "restoration" | "adjustment" | "bonus";
        count: number;
        amount: number;
    }[];
}
export interface PayoutSums {
    count: number;
    amount: number;
    currency: string;
}
export interface PayoutTotals {
    currency: string;
    dueNow: {
        amount: number;
        count: number;
    };
    awaitingFunding: {
        amount: number;
        count: number;
    };
    paidThisYear: {
        amount: number;
        count: number;
    };
}
export interface PromotionCode {
    id: string;
    partnerId: string;
    code: string;
    createdAt: string;
}
export interface ProviderEvent {
    id: string;
    externalId: string;
    type: string;
    at: string;
    receivedAt: string;
    state: "received" | "processed" | "ignored" | "failed" | "waiting";
    reason: string | null;
    saleId: string | null;
}
export interface PushRequest {
    id: string;
    path: string;
    status: number;
    error: {
        code: string;
        message: string;
    } | null;
    rows: number | null;
    failedRows: number | null;
    createdAt: string;
}
export interface PushResult {
    status: number;
    id: string | null;
    error: RowError | null;
}
export interface PushResults {
    results: PushResult[];
}
export interface PushedClick {
    id: string;
    partnerId: string;
    blueprintId: string | null;
    at: string;
}
export interface QueueState {
    name: string;
    waiting: number;
    active: number;
    failed: number;
    parks: boolean;
    oldestSeconds: number | null;
}
export interface RatesEffect {
    currency: string;
    from: string;
    to: string;
    sales: number;
    paid: number;
    wouldHavePaid: number;
}
export interface ReadTransfer {
    transferId: string;
    reference: string | null;
    amount: number | null;
    madeAt: string | null;
    state: string | null;
    stateHere: string | null;
    finding: "same" | "ahead" | "unknown" | "missing" | "dismissed";
    payoutId: string | null;
    statementNumber: number | null;
    payoutStatus: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled" | null;
    partnerId: string | null;
    partnerName: string | null;
}
export interface Receipt {
    accountId: string;
    entry: Entry;
    sale: Sale | null;
    lead: Lead | null;
    click: {
        id: string;
        at: string;
        blueprintId: string | null;
        linkName: string | null;
        referrer: string | null;
        landingPath: string | null;
    } | null;
    match: SaleMatch | null;
    rate: {
        percent: number;
        source: "partner" | "link" | "account" | null;
        layer: number;
    } | null;
    hold: {
        until: string | null;
        reason: string;
    } | null;
    payout: {
        id: string;
        number: number;
        status: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled";
        paidAt: string | null;
        destination: string | null;
    } | null;
    earlierPayouts: {
        id: string;
        number: number;
        status: "open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled";
    }[];
    openEvents: {
        id: string;
        connectionId: string;
        provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import";
        type: string;
        state: "failed" | "waiting";
        reason: string | null;
        at: string;
    }[];
    corrections: Entry[];
}
export interface Refund {
    id: string;
    kind: "refund" | "dispute";
    amount: number | null;
    externalId: string | null;
    status: "pending" | "succeeded" | "failed" | "canceled";
    reason: string | null;
    at: string;
}
export interface Rehearsal {
    id: string;
    accountId: string;
    state: "running" | "passed" | "failed";
    steps: {
        step: "click" | "lead" | "sale" | "commission" | "refund" | "webhook" | "clean-up";
        state: "waiting" | "running" | "done" | "warning" | "failed" | "skipped";
        detail: string | null;
        fix: "links" | "partners" | "embed-code" | "push-data" | "payment-providers" | "commission" | "outgoing-webhooks" | null;
    }[];
    createdAt: string;
    finishedAt: string | null;
}
export interface Reminder {
    kind: "payout-settings" | "invitation";
    nextAt: string;
    mailed: boolean;
}
export interface RevenueLine {
    id: string;
    kind: "sale" | "refund" | "dispute" | "restoration" | "void";
    day: string;
    saleId: string;
    leadId: string;
    leadName: string;
    partnerId: string | null;
    partnerName: string | null;
    blueprintId: string | null;
    provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import";
    externalId: string | null;
    livemode: boolean | null;
    status: "completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void";
    onHold: boolean;
    hold: {
        until: string | null;
        reason: string;
    } | null;
    amount: number;
    share: number;
    profit: number;
}
export interface RevenueTotals {
    count: number;
    sales: number;
    revenue: number;
    share: number;
    profit: number;
}
export type Role = {
    type: "admin";
} | {
    type: "account-owner";
    accountId: string;
    accountName: string;
} | {
    type: "partner";
    partnerId: string;
    accountId: string;
    accountName: string;
};
export interface RowError {
    code: string;
    reason: string;
    message: string;
    values: Record<string, string | number> | null;
    fields: Record<string, string> | null;
    details: Record<string, unknown> | null;
}
export interface Sale {
    id: string;
    accountId: string;
    leadId: string | null;
    leadName: string | null;
    partnerId: string | null;
    partnerName: string | null;
    provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import";
    externalId: string | null;
    amount: number | null;
    grossAmount: number | null;
    taxAmount: number | null;
    currency: string;
    accountAmount: number | null;
    accountCurrency: string;
    fxRate: number | null;
    fxDate: string | null;
    saleDate: string;
    description: string | null;
    subscriptionId: string | null;
    sequence: number | null;
    refundedAmount: number | null;
    status: "completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void";
    matchedBy: "click" | "code" | "lead-id" | "customer" | "external-id" | "coupon" | "email" | "manual" | null;
    livemode: boolean | null;
    payerEmail: string | null;
    providerCustomerId: string | null;
    hold: SaleHold | null;
    voidReason: string | null;
    commissions: Entry[];
    refunds: Refund[];
    createdAt: string;
}
export interface SaleHold {
    rule: "self-referral";
    policy: "flag" | "hold" | "refuse";
    reason: string;
    until: string | null;
}
export interface SaleMatch {
    rule: "click" | "code" | "lead-id" | "customer" | "external-id" | "coupon" | "email" | "manual" | null;
    why: string;
    others: {
        rule: "click" | "code" | "lead-id" | "customer" | "external-id" | "coupon" | "email" | "manual";
        why: string;
    }[];
}
export interface Session {
    accessToken: string;
    refreshToken: string;
}
export interface SimilarLeads {
    items: {
        by: "domain" | "company";
        value: string;
        total: number;
        leads: {
            id: string;
            displayName: string;
            partnerName: string | null;
            status: "new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate";
            createdAt: string;
        }[];
    }[];
}
export interface StartedEmbedCheck {
    id: string;
    url: string;
    expiresAt: string;
}
export interface Stats {
    numberOfPartners: number;
    numberOfLeads: number;
    numberOfSales: number;
    salesRevenue: number | null;
    salesRevenueShare: number;
    salesProfit: number | null;
    numberOfClicks: number;
    currency: string;
}
export interface SubmittedLeadVerdict {
    verdict: "new" | "yours" | "already-registered";
    lead: Lead | null;
    registeredAt: string;
    protectedUntil: string | null;
}
export interface System {
    version: string;
    environment: "local" | "staging" | "production";
    processRole: "all" | "web" | "worker";
    startedAt: string;
    database: {
        version: string;
        embedded: boolean;
        bytes: number;
        connections: number;
        maxConnections: number;
        migration: {
            name: string;
            appliedAt: string;
        };
        replica: {
            is: "follows" | "behind" | "elsewhere" | "promoted" | "foreign" | "away";
            lagSeconds: number | null;
        } | null;
    };
    queues: QueueState[];
    events: {
        waiting: number;
        oldestSeconds: number | null;
        parked: number;
    };
    mail: {
        server: MailServer | null;
        lastSentAt: string | null;
        failures: number;
    };
    storage: {
        freeBytes: number;
        totalBytes: number;
        databaseBytes: number | null;
        outboxBytes: number;
        outboxHasMore: boolean;
    };
    backups: {
        everyHours: number;
        count: number;
        newestAt: string | null;
        newestBytes: number | null;
        isOverdue: boolean;
    } | null;
}
export interface TaxYearPartner {
    partnerId: string;
    partnerName: string;
    email: string;
    currency: string;
    paid: number;
    payouts: number;
    method: "wise" | "manual" | "csv" | "several" | null;
    approved: boolean;
    taxForm: {
        kind: "w-9" | "w-8ben" | "w-8ben-e";
        receivedOn: string;
        expired: boolean;
    } | null;
    overThreshold: boolean | null;
}
export interface TaxYearTerms {
    year: number;
    currency: string;
    threshold: number | null;
    legalThreshold: number | null;
}
export interface TaxYearTotals {
    partners: number;
    paid: number;
    payouts: number;
    approved: number;
    overThreshold: number;
    formsMissing: number;
}
export interface User {
    id: string;
    email: string;
    firstName: string | null;
    lastName: string | null;
    roles: Role[];
    createdAt: string;
    updatedAt: string;
}
export interface UserSession {
    id: string;
    createdAt: string;
    lastUsedAt: string;
    userAgent: string | null;
    address: string | null;
    current: boolean;
}
export interface UserSetup {
    email: string | null;
    firstName: string | null;
    lastName: string | null;
    accountName: string | null;
    invitedBy: string | null;
    status: "valid" | "existing-user" | "expired" | "used";
}
export interface UserToken {
    id: string;
    name: string;
    lastFour: string;
    lastUsedAt: string | null;
    createdAt: string;
    expiresAt: string | null;
}
export interface UserTokenWithToken {
    id: string;
    name: string;
    lastFour: string;
    lastUsedAt: string | null;
    createdAt: string;
    expiresAt: string | null;
    token: string;
}
export interface Utm {
    source: string | null;
    medium: string | null;
    campaign: string | null;
    term: string | null;
    content: string | null;
}
export interface WholeMailPreview {
    kind: string;
    title: string;
    description: string;
    subject: string;
    page: string;
    text: string;
}
export interface WiseProfile {
    id: string;
    type: string;
    fullName: string | null;
    businessName: string | null;
}
export interface AcceptUserSetupBody {
    token: string;
}
export interface ChangePasswordBody {
    password: string;
    currentPassword?: string;
    email?: string;
}
export interface ConfirmPasswordBody {
    password: string;
}
export interface RefreshSessionBody {
    refreshToken: string;
}
export interface ResetPasswordBody {
    email: string;
}
export interface RetryUserSetupBody {
    email: string;
}
export interface SignInBody {
    email: string;
    password: string;
}
export interface SignInByLinkBody {
    token: string;
}
export interface SignOutBody {
    refreshToken: string;
}
export interface ChangeMeBody {
    firstName?: string | null;
    lastName?: string | null;
    preferences?: Record<string, unknown>;
}
export interface CreateMyTokenBody {
    name: string;
    expiresAt?: string | null;
}
export interface ListMyTokensQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name";
}
export interface ListMySessionsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
}
export interface AssignAccountOwnerBody {
    email: string;
    firstName?: string | null;
    lastName?: string | null;
}
export interface ChangeAccountBody {
    name?: string | null;
    defaultCurrency?: string;
    defaultCommissionSettings?: {
        layerRates: number[];
    };
    invitationsFromPartners?: boolean;
    payoutDelay?: 0 | 7 | 14 | 30 | 45 | 60 | 90;
    minimumPayout?: number;
    timeZone?: string;
    leadProtectionDays?: number;
    attributionModel?: "last-touch" | "first-touch";
    partnerVisibility?: {
        leadNames?: boolean;
        leadEmails?: boolean;
        saleAmounts?: boolean;
    };
    partnerLeadSubmission?: boolean;
    recurringMonths?: number | null;
    selfReferralPolicy?: "allow" | "flag" | "hold" | "refuse";
}
export interface ChangeAutoPayoutSettingsBody {
    enabled?: boolean;
    wiseToken?: string | null;
    wiseProfileId?: string | null;
    maxPerPayout?: number | null;
    maxPerRun?: number | null;
}
export interface CreateAccountBody {
    name?: string | null;
    defaultCurrency?: string;
    defaultCommissionSettings?: {
        layerRates: number[];
    };
    owner?: {
        email: string;
        firstName?: string | null;
        lastName?: string | null;
    } | null;
}
export interface ListAccountsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name";
    status?: OneOrMany<"enabled" | "disabled">;
}
export type DisableAccountBody = {
    reason?: string | null;
} | null;
export interface DownloadAccountsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name";
    status?: OneOrMany<"enabled" | "disabled">;
    columns?: OneOrMany<"id" | "name" | "displayName" | "publicId" | "ownerEmail" | "ownerFirstName" | "ownerLastName" | "defaultCurrency" | "timeZone" | "payoutDelay" | "minimumPayout" | "autoPayoutsEnabled" | "invitationsFromPartners" | "partnerLeadSubmission" | "leadProtectionDays" | "attributionModel" | "recurringMonths" | "selfReferralPolicy" | "disabledAt" | "disabledReason" | "numberOfPartners" | "numberOfLeads" | "numberOfSales" | "numberOfClicks" | "salesRevenue" | "salesRevenueShare" | "salesProfit" | "currency" | "createdAt" | "updatedAt">;
}
export interface DownloadAuditQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    subjectId?: OneOrMany<string>;
    actorId?: OneOrMany<string>;
    action?: OneOrMany<"account" | "administrator" | "api-key" | "commission" | "embed-code" | "exchange-rate" | "import" | "incoming-webhook" | "invitation" | "lead" | "link-blueprint" | "list" | "outgoing-webhook" | "partner" | "password" | "payment-provider" | "payout" | "role" | "sale" | "session" | "sign-in" | "system" | "user-token" | "account.api-key-renewed" | "account.auto-payouts-updated" | "account.created" | "account.disabled" | "account.enabled" | "account.exported" | "account.imported" | "account.owner-assigned" | "account.payouts-paused" | "account.payouts-resumed" | "account.transfer-dismissed" | "account.updated" | "administrator.invited" | "api-key.created" | "api-key.deleted" | "api-key.narrowed" | "api-key.rotated" | "commission.created" | "commission.due" | "commission.paid" | "commission.reversed" | "embed-code.updated" | "exchange-rate.entered" | "import.canceled" | "import.started" | "import.undone" | "incoming-webhook.created" | "incoming-webhook.deleted" | "incoming-webhook.updated" | "incoming-webhook.url-rotated" | "invitation.changed" | "invitation.link-made" | "invitation.revoked" | "lead.created" | "lead.deleted" | "lead.noted" | "lead.reassigned" | "lead.registered-again" | "lead.status-changed" | "lead.updated" | "link-blueprint.created" | "link-blueprint.deleted" | "link-blueprint.updated" | "list.downloaded" | "outgoing-webhook.created" | "outgoing-webhook.deleted" | "outgoing-webhook.secret-rotated" | "outgoing-webhook.updated" | "partner.adjusted" | "partner.created" | "partner.deleted" | "partner.invitation-accepted" | "partner.invitation-sent" | "partner.noted" | "partner.payout-settings-updated" | "partner.promotion-code-added" | "partner.promotion-code-deleted" | "partner.reminded" | "partner.updated" | "password.changed" | "password.reset" | "password.reset-link-made" | "password.set-up" | "payment-provider.connected" | "payment-provider.credentials-replaced" | "payment-provider.disconnected" | "payment-provider.unhealthy" | "payment-provider.webhook-secret-changed" | "payout.approved" | "payout.awaiting-funding" | "payout.cancel-asked" | "payout.canceled" | "payout.due" | "payout.entries-released" | "payout.failed" | "payout.imported" | "payout.paid" | "payout.processing" | "payout.recovered" | "payout.retried" | "payout.returned" | "payout.sent" | "payout.set-back" | "payout.stepped-back" | "payout.taken-back" | "role.granted" | "role.removed" | "sale.created" | "sale.dispute-closed" | "sale.disputed" | "sale.refunded" | "sale.updated" | "sale.voided" | "session.ended-for-reuse" | "sign-in" | "sign-in.by-link" | "system.retried" | "user-token.created" | "user-token.deleted">;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    columns?: OneOrMany<"id" | "at" | "actorType" | "actorId" | "actorName" | "network" | "action" | "subjectType" | "subjectId" | "subjectName" | "changes" | "currency">;
}
export interface DownloadExchangeRatesQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "date" | "-date";
    columns?: OneOrMany<"currency" | "date" | "rate" | "source">;
}
export type EnableAccountBody = {
    reason?: string | null;
} | null;
export interface EnterExchangeRateBody {
    currency: string;
    date: string;
    rate: number;
}
export interface ListExchangeRatesQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "date" | "-date";
}
export interface GetDashboardQuery {
    compare?: string;
}
export interface ListAuditQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    subjectId?: OneOrMany<string>;
    actorId?: OneOrMany<string>;
    action?: OneOrMany<"account" | "administrator" | "api-key" | "commission" | "embed-code" | "exchange-rate" | "import" | "incoming-webhook" | "invitation" | "lead" | "link-blueprint" | "list" | "outgoing-webhook" | "partner" | "password" | "payment-provider" | "payout" | "role" | "sale" | "session" | "sign-in" | "system" | "user-token" | "account.api-key-renewed" | "account.auto-payouts-updated" | "account.created" | "account.disabled" | "account.enabled" | "account.exported" | "account.imported" | "account.owner-assigned" | "account.payouts-paused" | "account.payouts-resumed" | "account.transfer-dismissed" | "account.updated" | "administrator.invited" | "api-key.created" | "api-key.deleted" | "api-key.narrowed" | "api-key.rotated" | "commission.created" | "commission.due" | "commission.paid" | "commission.reversed" | "embed-code.updated" | "exchange-rate.entered" | "import.canceled" | "import.started" | "import.undone" | "incoming-webhook.created" | "incoming-webhook.deleted" | "incoming-webhook.updated" | "incoming-webhook.url-rotated" | "invitation.changed" | "invitation.link-made" | "invitation.revoked" | "lead.created" | "lead.deleted" | "lead.noted" | "lead.reassigned" | "lead.registered-again" | "lead.status-changed" | "lead.updated" | "link-blueprint.created" | "link-blueprint.deleted" | "link-blueprint.updated" | "list.downloaded" | "outgoing-webhook.created" | "outgoing-webhook.deleted" | "outgoing-webhook.secret-rotated" | "outgoing-webhook.updated" | "partner.adjusted" | "partner.created" | "partner.deleted" | "partner.invitation-accepted" | "partner.invitation-sent" | "partner.noted" | "partner.payout-settings-updated" | "partner.promotion-code-added" | "partner.promotion-code-deleted" | "partner.reminded" | "partner.updated" | "password.changed" | "password.reset" | "password.reset-link-made" | "password.set-up" | "payment-provider.connected" | "payment-provider.credentials-replaced" | "payment-provider.disconnected" | "payment-provider.unhealthy" | "payment-provider.webhook-secret-changed" | "payout.approved" | "payout.awaiting-funding" | "payout.cancel-asked" | "payout.canceled" | "payout.due" | "payout.entries-released" | "payout.failed" | "payout.imported" | "payout.paid" | "payout.processing" | "payout.recovered" | "payout.retried" | "payout.returned" | "payout.sent" | "payout.set-back" | "payout.stepped-back" | "payout.taken-back" | "role.granted" | "role.removed" | "sale.created" | "sale.dispute-closed" | "sale.disputed" | "sale.refunded" | "sale.updated" | "sale.voided" | "session.ended-for-reuse" | "sign-in" | "sign-in.by-link" | "system.retried" | "user-token.created" | "user-token.deleted">;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
}
export interface ListWiseProfilesAnswer {
    items: WiseProfile[];
}
export interface AddPromotionCodeBody {
    code: string;
}
export interface ListPromotionCodesQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "code" | "-code";
}
export interface AdjustBalanceBody {
    amount: number;
    reason: string;
}
export interface ArchivePartnerBody {
    subPartners?: "move-up" | "keep";
    balance?: "pay-out" | "void";
    reason?: string | null;
}
export interface ChangePartnerBody {
    firstName?: string | null;
    lastName?: string | null;
    email?: string;
    note?: string | null;
    referralCode?: string;
    commissionSettings?: {
        layerRates: number[];
    } | null;
    approvedPayoutYears?: number[];
    parentPartnerId?: string | null;
    taxForm?: {
        kind: "w-9" | "w-8ben" | "w-8ben-e";
        receivedOn: string;
    } | null;
    state?: "active" | "suspended";
    reason?: string | null;
}
export interface CreatePartnerBody {
    firstName?: string | null;
    lastName?: string | null;
    email: string;
    note?: string | null;
    referralCode?: string | null;
    commissionSettings?: {
        layerRates: number[];
    } | null;
    sendInvitation?: boolean;
    parentPartnerId?: string | null;
}
export interface ListPartnersQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue";
    state?: OneOrMany<"invited" | "active" | "suspended" | "archived">;
    parentPartnerId?: OneOrMany<string>;
    approved?: boolean;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
}
export interface CreatePartnersBody {
    partners: unknown[];
    sendInvitation?: boolean;
}
export interface CreatePartnersAnswer {
    results: AddedPartner[];
}
export interface CreateSubPartnerBody {
    firstName?: string | null;
    lastName?: string | null;
    email: string;
    note?: string | null;
    referralCode?: string | null;
    commissionSettings?: {
        layerRates: number[];
    } | null;
    sendInvitation?: boolean;
}
export interface ListSubPartnersQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue";
    state?: OneOrMany<"invited" | "active" | "suspended" | "archived">;
    parentPartnerId?: OneOrMany<string>;
    approved?: boolean;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
}
export interface SavePayoutSettingsBody {
    legalType: "PRIVATE" | "BUSINESS";
    name: string;
    routingNumber: string;
    accountNumber: string;
    accountType: "CHECKING" | "SAVINGS";
    address: {
        country?: "us";
        state: string;
        city: string;
        addressLine: string;
        zipCode: string;
    };
}
export interface DownloadBalancesQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "due" | "-due" | "nextPayoutDate" | "-nextPayoutDate";
    partnerId?: OneOrMany<string>;
    blocked?: boolean;
    empty?: OneOrMany<"true" | "false">;
    columns?: OneOrMany<"partnerId" | "partnerName" | "currency" | "held" | "due" | "onHold" | "inPayout" | "paid" | "nextPayoutDate" | "dueSince" | "blockers">;
}
export interface DownloadPartnerCommissionsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "availableAt" | "-availableAt" | "amount" | "-amount";
    status?: OneOrMany<"held" | "due" | "in-payout" | "paid" | "on-hold" | "void">;
    kind?: OneOrMany<"earned" | "reversal" | "restoration" | "adjustment" | "bonus">;
    saleId?: OneOrMany<string>;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    columns?: OneOrMany<"id" | "saleId" | "refundId" | "partnerId" | "partnerName" | "layer" | "rate" | "baseAmount" | "amount" | "currency" | "kind" | "status" | "availableAt" | "payoutId" | "reason" | "createdAt" | "saleDate" | "saleDescription" | "leadId" | "leadName" | "refundKind" | "refundAt" | "holdUntil" | "holdReason">;
}
export interface DownloadPartnersQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue";
    state?: OneOrMany<"invited" | "active" | "suspended" | "archived">;
    parentPartnerId?: OneOrMany<string>;
    approved?: boolean;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    columns?: OneOrMany<"id" | "firstName" | "lastName" | "email" | "referralCode" | "state" | "parentPartnerId" | "numberOfPartners" | "numberOfLeads" | "numberOfSales" | "salesRevenue" | "salesRevenueShare" | "balanceDue" | "currency" | "approvedForPayouts" | "invitationStatus" | "createdAt" | "note">;
}
export interface DownloadPromotionCodesQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "code" | "-code";
    columns?: OneOrMany<"id" | "partnerId" | "code" | "createdAt">;
}
export interface DownloadSubPartnersQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue";
    state?: OneOrMany<"invited" | "active" | "suspended" | "archived">;
    parentPartnerId?: OneOrMany<string>;
    approved?: boolean;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    columns?: OneOrMany<"id" | "firstName" | "lastName" | "email" | "referralCode" | "state" | "parentPartnerId" | "numberOfPartners" | "numberOfLeads" | "numberOfSales" | "salesRevenue" | "salesRevenueShare" | "balanceDue" | "currency" | "approvedForPayouts" | "invitationStatus" | "createdAt">;
}
export interface ListBalancesQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "due" | "-due" | "nextPayoutDate" | "-nextPayoutDate";
    partnerId?: OneOrMany<string>;
    blocked?: boolean;
    empty?: OneOrMany<"true" | "false">;
}
export interface ListPartnerCommissionsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "availableAt" | "-availableAt" | "amount" | "-amount";
    status?: OneOrMany<"held" | "due" | "in-payout" | "paid" | "on-hold" | "void">;
    kind?: OneOrMany<"earned" | "reversal" | "restoration" | "adjustment" | "bonus">;
    saleId?: OneOrMany<string>;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
}
export interface RemindPartnerBody {
    kind: "payout-settings" | "invitation";
}
export interface ChangeLinkBlueprintBody {
    name?: string;
    destinationUrl?: string;
    parameterName?: string;
    utm?: {
        source?: string | null;
        medium?: string | null;
        campaign?: string | null;
        term?: string | null;
        content?: string | null;
    } | null;
    cookieDays?: number;
    attributionModel?: "last-touch" | "first-touch";
    passthroughQuery?: boolean;
    commissionSettings?: {
        layerRates: number[];
    } | null;
    enabled?: boolean;
}
export interface CreateLinkBlueprintBody {
    name: string;
    destinationUrl: string;
    parameterName?: string;
    utm?: {
        source?: string | null;
        medium?: string | null;
        campaign?: string | null;
        term?: string | null;
        content?: string | null;
    } | null;
    cookieDays?: number;
    attributionModel?: "last-touch" | "first-touch";
    passthroughQuery?: boolean;
    commissionSettings?: {
        layerRates: number[];
    } | null;
    enabled?: boolean;
}
export interface ListLinkBlueprintsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales";
    enabled?: boolean;
}
export interface DownloadBlueprintLinksQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales";
    partnerId?: OneOrMany<string>;
    columns?: OneOrMany<"partnerId" | "displayName" | "url" | "shortUrl" | "clicks" | "leads" | "sales">;
}
export interface DownloadLinkBlueprintsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales";
    enabled?: boolean;
    columns?: OneOrMany<"id" | "key" | "accountId" | "name" | "destinationUrl" | "domain" | "parameterName" | "utmSource" | "utmMedium" | "utmCampaign" | "utmTerm" | "utmContent" | "cookieDays" | "attributionModel" | "passthroughQuery" | "enabled" | "clicks" | "uniqueClicks" | "leads" | "sales" | "revenue" | "createdAt" | "updatedAt">;
}
export interface DownloadPartnerLinksQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales";
    columns?: OneOrMany<"blueprintId" | "name" | "url" | "shortUrl" | "clicks" | "leads" | "sales">;
}
export interface ListBlueprintLinksQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales";
    partnerId?: OneOrMany<string>;
}
export interface ListPartnerLinksQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "clicks" | "-clicks" | "leads" | "-leads" | "sales" | "-sales";
}
export interface TestLinkBody {
    destinationUrl: string;
    parameterName?: string;
}
export interface AddLeadNoteBody {
    text: string;
    shared?: boolean;
}
export interface ChangeLeadBody {
    firstName?: string | null;
    lastName?: string | null;
    email?: string | null;
    phone?: string | null;
    company?: string | null;
    externalId?: string | null;
    metadata?: Record<string, string>;
    protectedUntil?: string | null;
}
export interface ChangeLeadStatusBody {
    status: "new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate";
    reason?: string;
    note?: string | null;
    sharedNote?: string | null;
}
export interface CreateLeadBody {
    partnerId?: string | null;
    firstName?: string | null;
    lastName?: string | null;
    email?: string | null;
    phone?: string | null;
    company?: string | null;
    externalId?: string | null;
    metadata?: Record<string, string>;
}
export interface ListLeadsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue";
    status?: OneOrMany<"new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate">;
    source?: OneOrMany<"embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner">;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    partnerId?: OneOrMany<string>;
    blueprintId?: OneOrMany<string>;
    duplicateOfId?: OneOrMany<string>;
    unanswered?: true;
}
export interface DownloadLeadEventsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    columns?: OneOrMany<"at" | "type" | "actor" | "text" | "link">;
}
export interface DownloadLeadSubmissionsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    columns?: OneOrMany<"at" | "source">;
}
export interface DownloadLeadsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue";
    status?: OneOrMany<"new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate">;
    source?: OneOrMany<"embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner">;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    partnerId?: OneOrMany<string>;
    blueprintId?: OneOrMany<string>;
    duplicateOfId?: OneOrMany<string>;
    unanswered?: true;
    columns?: OneOrMany<"id" | "accountId" | "partnerId" | "partnerName" | "blueprintId" | "clickId" | "firstName" | "lastName" | "displayName" | "email" | "phone" | "company" | "externalId" | "source" | "status" | "statusReason" | "sharedNote" | "protectedUntil" | "landingUrl" | "referrer" | "duplicateOfId" | "attributionModel" | "attributionMatchedBy" | "attributionAt" | "selfReferral" | "numberOfSales" | "salesRevenue" | "salesRevenueShare" | "salesProfit" | "currency" | "createdAt" | "updatedAt">;
}
export interface DownloadPartnerLeadsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue";
    status?: OneOrMany<"new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate">;
    source?: OneOrMany<"embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner">;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    columns?: OneOrMany<"id" | "accountId" | "partnerId" | "partnerName" | "blueprintId" | "clickId" | "firstName" | "lastName" | "displayName" | "email" | "phone" | "company" | "externalId" | "source" | "status" | "statusReason" | "sharedNote" | "protectedUntil" | "landingUrl" | "referrer" | "duplicateOfId" | "attributionModel" | "attributionMatchedBy" | "attributionAt" | "selfReferral" | "numberOfSales" | "salesRevenue" | "salesRevenueShare" | "salesProfit" | "currency" | "createdAt" | "updatedAt">;
}
export interface FindSimilarLeadsQuery {
    email?: string;
    company?: string;
    leadId?: string;
}
export interface ListLeadEventsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
}
export interface ListLeadSubmissionsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
}
export interface ListPartnerLeadsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name" | "salesRevenue" | "-salesRevenue";
    status?: OneOrMany<"new" | "qualified" | "won" | "lost" | "rejected" | "expired" | "duplicate">;
    source?: OneOrMany<"embed" | "manual" | "api" | "incoming-webhook" | "provider" | "import" | "partner">;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
}
export interface SubmitLeadBody {
    firstName?: string | null;
    lastName?: string | null;
    email?: string | null;
    phone?: string | null;
    company?: string | null;
    note?: string | null;
}
export interface ReassignLeadBody {
    partnerId: string | null;
    reason?: string;
    creditEarlierSales?: boolean;
    preview?: boolean;
}
export interface AttributeSaleBody {
    partnerId?: string;
    leadId?: string;
    reason?: string;
    creditEarlierSales?: boolean;
    preview?: boolean;
}
export interface ChangeSaleBody {
    description?: string | null;
}
export interface CreateSaleBody {
    amount: number;
    currency?: string;
    saleDate?: string;
    taxAmount?: number;
    externalId?: string | null;
    description?: string | null;
}
export interface ListLeadSalesQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "saleDate" | "-saleDate" | "amount" | "-amount";
}
export interface DownloadLeadSalesQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "saleDate" | "-saleDate" | "amount" | "-amount";
    columns?: OneOrMany<"id" | "accountId" | "leadId" | "leadName" | "partnerId" | "partnerName" | "provider" | "externalId" | "amount" | "grossAmount" | "taxAmount" | "currency" | "accountAmount" | "accountCurrency" | "fxRate" | "fxDate" | "saleDate" | "description" | "subscriptionId" | "sequence" | "refundedAmount" | "status" | "matchedBy" | "livemode" | "payerEmail" | "providerCustomerId" | "holdRule" | "holdPolicy" | "holdReason" | "holdUntil" | "voidReason" | "createdAt">;
}
export interface DownloadRevenueLinesQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "day" | "-day";
    kind?: OneOrMany<"sale" | "refund" | "dispute" | "restoration" | "void">;
    status?: OneOrMany<"completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void">;
    provider?: OneOrMany<"stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import">;
    partnerId?: OneOrMany<string>;
    blueprintId?: OneOrMany<string>;
    leadId?: OneOrMany<string>;
    onHold?: true;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    columns?: OneOrMany<"id" | "kind" | "day" | "saleId" | "leadId" | "leadName" | "partnerId" | "partnerName" | "blueprintId" | "provider" | "externalId" | "livemode" | "status" | "onHold" | "holdUntil" | "holdReason" | "amount" | "share" | "profit">;
}
export interface DownloadSaleCommissionsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    columns?: OneOrMany<"id" | "saleId" | "refundId" | "partnerId" | "partnerName" | "layer" | "rate" | "baseAmount" | "amount" | "currency" | "kind" | "status" | "availableAt" | "payoutId" | "reason" | "createdAt">;
}
export interface DownloadSalesQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "saleDate" | "-saleDate" | "amount" | "-amount";
    status?: OneOrMany<"completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void">;
    provider?: OneOrMany<"stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import">;
    partnerId?: OneOrMany<string>;
    leadId?: OneOrMany<string>;
    unattributed?: boolean;
    test?: boolean;
    onHold?: true;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    columns?: OneOrMany<"id" | "accountId" | "leadId" | "leadName" | "partnerId" | "partnerName" | "provider" | "externalId" | "amount" | "grossAmount" | "taxAmount" | "currency" | "accountAmount" | "accountCurrency" | "fxRate" | "fxDate" | "saleDate" | "description" | "subscriptionId" | "sequence" | "refundedAmount" | "status" | "matchedBy" | "livemode" | "payerEmail" | "providerCustomerId" | "holdRule" | "holdPolicy" | "holdReason" | "holdUntil" | "voidReason" | "createdAt">;
}
export interface ListRevenueLinesQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "day" | "-day";
    kind?: OneOrMany<"sale" | "refund" | "dispute" | "restoration" | "void">;
    status?: OneOrMany<"completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void">;
    provider?: OneOrMany<"stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import">;
    partnerId?: OneOrMany<string>;
    blueprintId?: OneOrMany<string>;
    leadId?: OneOrMany<string>;
    onHold?: true;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
}
export interface ListSaleCommissionsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
}
export interface ListSalesQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "saleDate" | "-saleDate" | "amount" | "-amount";
    status?: OneOrMany<"completed" | "partially-refunded" | "refunded" | "disputed" | "charged-back" | "void">;
    provider?: OneOrMany<"stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic" | "manual" | "api" | "incoming-webhook" | "import">;
    partnerId?: OneOrMany<string>;
    leadId?: OneOrMany<string>;
    unattributed?: boolean;
    test?: boolean;
    onHold?: true;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
}
export interface PreviewCommissionBody {
    partnerId?: string;
    leadId?: string;
    amount: number;
    currency?: string;
    saleDate?: string;
}
export interface PreviewRatesBody {
    commissionSettings: {
        layerRates: number[];
    } | null;
    partnerId?: string;
    blueprintId?: string;
}
export interface RefundSaleBody {
    amount?: number;
    reason: string;
}
export interface ReleaseSaleBody {
    reason: string;
}
export interface VoidSaleBody {
    reason: string;
}
export interface DownloadCommissionsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "availableAt" | "-availableAt";
    status?: OneOrMany<"held" | "due" | "in-payout" | "paid" | "on-hold" | "void">;
    partner?: OneOrMany<string>;
    layer?: OneOrMany<"0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "none">;
    kind?: OneOrMany<"earned" | "reversal" | "restoration" | "adjustment" | "bonus">;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    dueFrom?: string;
    dueTo?: string;
    columns?: OneOrMany<"id" | "saleId" | "refundId" | "partnerId" | "partnerName" | "layer" | "rate" | "baseAmount" | "amount" | "currency" | "kind" | "status" | "availableAt" | "payoutId" | "reason" | "createdAt" | "saleDate" | "saleDescription" | "leadId" | "leadName" | "refundKind" | "refundAt" | "holdUntil" | "holdReason">;
}
export interface ListCommissionsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "availableAt" | "-availableAt";
    status?: OneOrMany<"held" | "due" | "in-payout" | "paid" | "on-hold" | "void">;
    partner?: OneOrMany<string>;
    layer?: OneOrMany<"0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "none">;
    kind?: OneOrMany<"earned" | "reversal" | "restoration" | "adjustment" | "bonus">;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    dueFrom?: string;
    dueTo?: string;
}
export interface ApplyPayoutResultsBody {
    csv: string;
    dryRun: boolean;
}
export interface ApproveForTaxYearBody {
    partnerIds?: string[];
    all?: true;
    approved?: boolean;
}
export interface ApproveForTaxYearAnswer {
    partnerIds: string[];
}
export interface ApprovePayoutBody {
    amount?: number;
    detailsVersion?: string | null;
}
export interface ApprovePayoutsBody {
    ids: string[];
    preview?: boolean;
    shown?: {
        id: string;
        amount?: number;
        detailsVersion?: string | null;
    }[];
}
export interface ChangeTaxYearBody {
    threshold: number | null;
}
export interface ListTaxYearQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "paid" | "-paid" | "name" | "-name";
    overThreshold?: boolean;
    approved?: boolean;
    paid?: boolean;
    taxForm?: OneOrMany<"on-file" | "expired" | "missing">;
    toApprove?: true;
}
export interface ConfirmPayoutReconciliationBody {
    decisions?: {
        transferId: string;
        action: "record" | "dismiss";
        partnerId?: string;
    }[];
}
export interface DownloadPartnerPayoutsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "amount" | "-amount" | "scheduledFor" | "-scheduledFor" | "paidOn" | "-paidOn";
    status?: OneOrMany<"open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled">;
    attention?: OneOrMany<"approve" | "fund" | "remind" | "approve-year" | "fix-details" | "retry" | "reconnect" | "decide" | "none">;
    paidYear?: string;
    paidFrom?: string;
    paidTo?: string;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    partnerId?: OneOrMany<string>;
    columns?: OneOrMany<"id" | "accountId" | "partnerId" | "partnerName" | "amount" | "currency" | "status" | "method" | "periodStart" | "periodEnd" | "scheduledFor" | "approvedAt" | "approvedBy" | "sentAt" | "paidAt" | "paidOn" | "failureReason" | "externalReference" | "statementNumber" | "detailsVersion" | "createdAt" | "updatedAt">;
}
export interface DownloadPayoutEntriesQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    columns?: OneOrMany<"id" | "saleId" | "refundId" | "partnerId" | "partnerName" | "layer" | "rate" | "baseAmount" | "amount" | "currency" | "kind" | "status" | "availableAt" | "payoutId" | "reason" | "createdAt" | "saleDate" | "saleDescription" | "leadId" | "leadName" | "refundKind" | "refundAt" | "holdUntil" | "holdReason">;
}
export interface DownloadPayoutsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "amount" | "-amount" | "scheduledFor" | "-scheduledFor" | "paidOn" | "-paidOn";
    status?: OneOrMany<"open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled">;
    attention?: OneOrMany<"approve" | "fund" | "remind" | "approve-year" | "fix-details" | "retry" | "reconnect" | "decide" | "none">;
    paidYear?: string;
    paidFrom?: string;
    paidTo?: string;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    partnerId?: OneOrMany<string>;
    columns?: OneOrMany<"id" | "accountId" | "partnerId" | "partnerName" | "amount" | "currency" | "status" | "method" | "periodStart" | "periodEnd" | "scheduledFor" | "approvedAt" | "approvedBy" | "sentAt" | "paidAt" | "paidOn" | "failureReason" | "externalReference" | "statementNumber" | "detailsVersion" | "createdAt" | "updatedAt" | "blockers">;
    format?: "plain" | "wise-batch";
}
export interface DownloadTaxYearQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "paid" | "-paid" | "name" | "-name";
    overThreshold?: boolean;
    approved?: boolean;
    paid?: boolean;
    taxForm?: OneOrMany<"on-file" | "expired" | "missing">;
    toApprove?: true;
    columns?: OneOrMany<"partnerId" | "partnerName" | "email" | "currency" | "paid" | "payouts" | "method" | "approved" | "taxFormKind" | "taxFormReceivedOn" | "taxFormExpired" | "overThreshold">;
}
export interface GetPayoutStatementQuery {
    paper?: "a4" | "letter";
}
export interface ListPartnerPayoutsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "amount" | "-amount" | "scheduledFor" | "-scheduledFor" | "paidOn" | "-paidOn";
    status?: OneOrMany<"open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled">;
    attention?: OneOrMany<"approve" | "fund" | "remind" | "approve-year" | "fix-details" | "retry" | "reconnect" | "decide" | "none">;
    paidYear?: string;
    paidFrom?: string;
    paidTo?: string;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    partnerId?: OneOrMany<string>;
}
export interface ListPayoutEntriesQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
}
export interface ListPayoutsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "amount" | "-amount" | "scheduledFor" | "-scheduledFor" | "paidOn" | "-paidOn";
    status?: OneOrMany<"open" | "due" | "approved" | "processing" | "awaiting-funding" | "sent" | "paid" | "failed" | "returned" | "canceled">;
    attention?: OneOrMany<"approve" | "fund" | "remind" | "approve-year" | "fix-details" | "retry" | "reconnect" | "decide" | "none">;
    paidYear?: string;
    paidFrom?: string;
    paidTo?: string;
    /** The first day. */
    from?: string;
    /** The last day, inclusive. */
    to?: string;
    partnerId?: OneOrMany<string>;
}
export interface MarkPayoutPaidBody {
    reference: string;
    paidAt?: string;
    amount?: number;
}
export interface MarkPayoutsPaidBody {
    ids?: string[];
    reference?: string;
    paidAt?: string;
    items?: {
        id: string;
        reference: string;
        paidAt?: string;
        amount?: number;
    }[];
}
export interface RefreshPayoutsBody {
    gatherOnly?: boolean;
}
export interface RefreshPayoutsAnswer {
    due: number;
    blocked: number;
}
export interface ChangeConnectionBody {
    webhookSecret?: string | null;
    credentials?: Record<string, string>;
}
export interface ConnectProviderBody {
    provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic";
    code?: string;
    state?: string;
    credentials?: Record<string, string>;
}
export interface DisconnectProviderBody {
    connectionId: string;
}
export interface DownloadConnectionsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    columns?: OneOrMany<"id" | "accountId" | "createdAt" | "provider" | "accountName" | "defaultCurrency" | "providerAccountIdentifier" | "method" | "livemode" | "state" | "stateReason" | "webhookUrl" | "webhookSecretSet" | "lastEventAt" | "eventsLast24h" | "reconciledAt">;
}
export interface DownloadProviderEventsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    state?: OneOrMany<"received" | "processed" | "ignored" | "failed" | "waiting">;
    columns?: OneOrMany<"id" | "externalId" | "type" | "at" | "receivedAt" | "state" | "reason" | "saleId">;
}
export interface GetConnectUrlAnswer {
    url: string;
}
export interface ImportPastSalesBody {
    from: string;
    to: string;
    dryRun: boolean;
}
export interface ListAvailableProvidersAnswer {
    items: AvailableProvider[];
}
export interface ListConnectionsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
}
export interface ListProviderEventsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    state?: OneOrMany<"received" | "processed" | "ignored" | "failed" | "waiting">;
}
export interface ChangeOutgoingWebhookBody {
    name?: string;
    url?: string;
    events?: ("*" | "lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy")[];
    headers?: Record<string, string>;
    enabled?: boolean;
}
export interface CreateOutgoingWebhookBody {
    name: string;
    url: string;
    events: ("*" | "lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy")[];
    headers?: Record<string, string>;
    enabled?: boolean;
}
export interface ListOutgoingWebhooksQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name";
}
export interface DownloadOutgoingDeliveriesQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    state?: OneOrMany<"pending" | "delivered" | "retrying" | "failed">;
    event?: OneOrMany<"lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy" | "webhook.test">;
    since?: string;
    columns?: OneOrMany<"id" | "eventId" | "event" | "state" | "code" | "durationMs" | "attempts" | "nextAttemptAt" | "requestBody" | "responseBody" | "createdAt">;
}
export interface DownloadOutgoingWebhooksQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name";
    columns?: OneOrMany<"id" | "accountId" | "name" | "url" | "enabled" | "disabledReason" | "consecutiveFailures" | "lastDeliveryAt" | "createdAt" | "updatedAt" | "events">;
}
export interface ListOutgoingDeliveriesQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    state?: OneOrMany<"pending" | "delivered" | "retrying" | "failed">;
    event?: OneOrMany<"lead.created" | "lead.updated" | "lead.status-changed" | "lead.reassigned" | "lead.deleted" | "sale.created" | "sale.updated" | "sale.refunded" | "sale.disputed" | "sale.dispute-closed" | "sale.voided" | "commission.created" | "commission.reversed" | "commission.due" | "commission.paid" | "payout.due" | "payout.approved" | "payout.awaiting-funding" | "payout.sent" | "payout.paid" | "payout.failed" | "payout.returned" | "payout.canceled" | "partner.created" | "partner.updated" | "partner.invitation-sent" | "partner.invitation-accepted" | "partner.payout-settings-updated" | "partner.deleted" | "link-blueprint.created" | "link-blueprint.updated" | "link-blueprint.deleted" | "payment-provider.connected" | "payment-provider.disconnected" | "payment-provider.unhealthy" | "webhook.test">;
    since?: string;
}
export interface ListWebhookEventsAnswer {
    items: {
        type: string;
        description: string;
    }[];
}
export interface ResendFailedBody {
    since: string;
}
export interface ResendFailedAnswer {
    count: number;
}
export interface ChangeIncomingWebhookBody {
    name?: string;
    auth?: {
        type: "url-secret";
    } | {
        type: "header-hmac";
        header: string;
        algorithm?: "sha256";
        encoding?: "hex" | "base64";
        prefix?: string | null;
        signed?: "body" | "timestamp-dot-body" | "timestamp-colon-body" | "method-url-body-timestamp";
        timestampHeader?: string | null;
        secret?: string;
    } | {
        type: "basic";
        username: string;
        password?: string;
    };
    mapping?: {
        field: string;
        path?: string | null;
        transform?: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant";
        default?: string | null;
    }[];
    partnerMatch?: {
        by: "referralCode" | "email" | "id" | "clickId";
        path: string;
    } | null;
    filters?: {
        path: string;
        equals: string;
    }[];
    dedupePath?: string | null;
    allowedIps?: string[];
    enabled?: boolean;
}
export interface CreateIncomingWebhookBody {
    name: string;
    auth?: {
        type: "url-secret";
    } | {
        type: "header-hmac";
        header: string;
        algorithm?: "sha256";
        encoding?: "hex" | "base64";
        prefix?: string | null;
        signed?: "body" | "timestamp-dot-body" | "timestamp-colon-body" | "method-url-body-timestamp";
        timestampHeader?: string | null;
        secret?: string;
    } | {
        type: "basic";
        username: string;
        password?: string;
    };
    mapping?: {
        field: string;
        path?: string | null;
        transform?: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant";
        default?: string | null;
    }[];
    partnerMatch?: {
        by: "referralCode" | "email" | "id" | "clickId";
        path: string;
    } | null;
    filters?: {
        path: string;
        equals: string;
    }[];
    dedupePath?: string | null;
    allowedIps?: string[];
    enabled?: boolean;
    target: "lead" | "sale" | "refund" | "lead-status";
}
export interface ListIncomingWebhooksQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name";
}
export interface DownloadIncomingDeliveriesQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    state?: OneOrMany<"received" | "processed" | "ignored" | "failed" | "replayed">;
    columns?: OneOrMany<"id" | "state" | "payloadBytes" | "reason" | "madeType" | "madeId" | "receivedAt">;
}
export interface DownloadIncomingWebhooksQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name";
    columns?: OneOrMany<"id" | "name" | "target" | "state" | "enabled" | "lastReceivedAt" | "countsProcessed" | "countsIgnored" | "countsFailed" | "createdAt" | "updatedAt">;
}
export interface ListIncomingDeliveriesQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    state?: OneOrMany<"received" | "processed" | "ignored" | "failed" | "replayed">;
}
export interface ReplayFailedAnswer {
    count: number;
}
export interface TestIncomingWebhookBody {
    payload: Record<string, unknown> | unknown[];
    mapping?: {
        field: string;
        path?: string | null;
        transform?: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant";
        default?: string | null;
    }[];
    partnerMatch?: {
        by: "referralCode" | "email" | "id" | "clickId";
        path: string;
    } | null;
}
export interface CreateImportBody {
    kind: "partners" | "leads" | "sales" | "payouts";
    format?: string;
    csv: string;
    mapping?: {
        field: string;
        column?: string | null;
        transform?: "none" | "trim" | "lowercase" | "number" | "cents" | "date" | "constant" | "day-first-date" | "paid-or-not" | "first-name" | "last-name";
        default?: string | null;
    }[];
    dryRun: boolean;
    settlePaid?: boolean;
}
export interface ListImportsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    kind?: OneOrMany<"partners" | "leads" | "sales" | "payouts" | "past-sales">;
    state?: OneOrMany<"waiting" | "running" | "done" | "failed" | "canceled" | "undoing" | "undone">;
}
export interface DownloadImportsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    kind?: OneOrMany<"partners" | "leads" | "sales" | "payouts" | "past-sales">;
    state?: OneOrMany<"waiting" | "running" | "done" | "failed" | "canceled" | "undoing" | "undone">;
    columns?: OneOrMany<"id" | "kind" | "format" | "connectionId" | "state" | "reason" | "dryRun" | "total" | "done" | "created" | "undone" | "skipped" | "failed" | "unattributed" | "assigned" | "from" | "to" | "undoableUntil" | "createdAt" | "finishedAt">;
}
export interface PreviewImportBody {
    csv: string;
    kind?: "partners" | "leads" | "sales" | "payouts";
    format?: string;
}
export interface CreateApiKeyBody {
    name: string;
    rights: ("push" | "read")[];
    expiresAt?: string | null;
}
export interface ListApiKeysQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name";
}
export interface DownloadApiKeysQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt" | "name" | "-name";
    columns?: OneOrMany<"id" | "name" | "lastFour" | "lastUsedAt" | "createdAt" | "expiresAt" | "replacedBy">;
}
export interface DownloadPushRequestsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    columns?: OneOrMany<"id" | "path" | "status" | "errorCode" | "errorMessage" | "rows" | "failedRows" | "createdAt">;
}
export interface ListPushRequestsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
}
export interface SaveEmbedCodeBody {
    config?: EmbedConfigInput;
    domains?: string[];
    onlyIfReferred?: boolean;
    consentMode?: "off" | "required" | "cookieless";
    path?: string | null;
}
export interface StartEmbedCheckBody {
    url: string;
}
export interface ChangeMailSubscriptionBody {
    enabled: boolean;
}
export interface DownloadLoggedMailsQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    state?: OneOrMany<"waiting" | "sent" | "kept" | "refused" | "failed" | "skipped">;
    kind?: OneOrMany<"invitation" | "password-reset" | "password-changed" | "session-ended" | "new-key" | "owner-changed" | "payout-settings" | "test" | "new-lead" | "protection-ending" | "sale-credited" | "refund" | "payout-approved" | "payout-sent" | "payout-failed" | "payout-blocked" | "payout-attention" | "payouts-paused" | "payout-reminder" | "payout-details-reminder" | "webhook-failing" | "webhook-turned-off" | "provider-attention" | "backup-failed" | "weekly-summary" | "monthly-statement">;
    columns?: OneOrMany<"id" | "kind" | "title" | "email" | "subject" | "state" | "reason" | "tries" | "lastTriedAt" | "createdAt">;
}
export interface GetMailStatusAnswer {
    server: MailServer | null;
    from: string;
}
export interface ListLoggedMailsQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    state?: OneOrMany<"waiting" | "sent" | "kept" | "refused" | "failed" | "skipped">;
    kind?: OneOrMany<"invitation" | "password-reset" | "password-changed" | "session-ended" | "new-key" | "owner-changed" | "payout-settings" | "test" | "new-lead" | "protection-ending" | "sale-credited" | "refund" | "payout-approved" | "payout-sent" | "payout-failed" | "payout-blocked" | "payout-attention" | "payouts-paused" | "payout-reminder" | "payout-details-reminder" | "webhook-failing" | "webhook-turned-off" | "provider-attention" | "backup-failed" | "weekly-summary" | "monthly-statement">;
}
export interface ListMailChoicesAnswer {
    items: MailChoice[];
}
export interface ListMailPreviewsAnswer {
    items: MailPreview[];
}
export interface SendTestMailBody {
    email: string;
}
export interface DownloadParkedQuery {
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    kind?: OneOrMany<"event" | "job">;
    columns?: OneOrMany<"id" | "kind" | "name" | "reason" | "tries" | "createdAt" | "keptUntil">;
}
export interface ListParkedQuery {
    /** The number of items on a page. */
    limit?: number;
    /** The `nextCursor` of the page before. */
    cursor?: string;
    /** Matches items that contain these words. */
    search?: string;
    sort?: "createdAt" | "-createdAt";
    kind?: OneOrMany<"event" | "job">;
}
export interface RetryAllParkedAnswer {
    count: number;
}
export interface RetryParkedAnswer {
    count: number;
}
/** What each event of a webhook carries. */
export interface WebhookObjects {
    "lead.created": Lead;
    "lead.updated": Lead;
    "lead.status-changed": Lead;
    "lead.reassigned": Lead;
    "lead.deleted": Lead;
    "sale.created": Sale;
    "sale.updated": Sale;
    "sale.refunded": Sale;
    "sale.disputed": Sale;
    "sale.dispute-closed": Sale;
    "sale.voided": Sale;
    "commission.created": Entry;
    "commission.reversed": Entry;
    "commission.due": Entry;
    "commission.paid": Entry;
    "payout.due": Payout;
    "payout.approved": Payout;
    "payout.awaiting-funding": Payout;
    "payout.sent": Payout;
    "payout.paid": Payout;
    "payout.failed": Payout;
    "payout.returned": Payout;
    "payout.canceled": Payout;
    "partner.created": PartnerTold;
    "partner.updated": PartnerTold;
    "partner.invitation-sent": PartnerTold;
    "partner.invitation-accepted": PartnerTold;
    "partner.payout-settings-updated": PayoutDetailsState;
    "partner.deleted": PartnerTold;
    "link-blueprint.created": LinkBlueprint;
    "link-blueprint.updated": LinkBlueprint;
    "link-blueprint.deleted": LinkBlueprint;
    "payment-provider.connected": Connection;
    "payment-provider.disconnected": Connection;
    "payment-provider.unhealthy": Connection;
}
export declare class AuthApi {
    #private;
    constructor(send: Send);
    /** Accept an invitation as the invited user. For: everyone signed in. `POST /auth/user-setup/accept` */
    acceptUserSetup(body: AcceptUserSetupBody, options?: CallOptions): Promise<User>;
    /** Set the password, by link or with the current password. All other sessions end. For: the bearer of a set-up or reset link, everyone signed in. `POST /auth/change-password` */
    changePassword(body: ChangePasswordBody, options?: CallOptions): Promise<Session>;
    /** Confirm the password. The session counts as freshly signed in for 10 minutes. For: everyone signed in. `POST /auth/confirm` */
    confirmPassword(body: ConfirmPasswordBody, options?: CallOptions): Promise<void>;
    /** Retrieve whom a set-up link invites, and whether it is still valid. For: the bearer of a set-up or reset link. `GET /auth/user-setup` */
    getUserSetup(options?: CallOptions): Promise<UserSetup>;
    /** Exchange a refresh token for new tokens. The old one stops working. For: everyone. `POST /auth/refresh` */
    refreshSession(body: RefreshSessionBody, options?: CallOptions): Promise<Session>;
    /** Email a reset link and a one-time sign-in link, if the address is known. For: everyone. `POST /auth/reset-password` */
    resetPassword(body: ResetPasswordBody, options?: CallOptions): Promise<void>;
    /** Email the set-up link again, renewed if it has expired, if there is an open invitation. For: everyone. `POST /auth/user-setup/retries` */
    retryUserSetup(body: RetryUserSetupBody, options?: CallOptions): Promise<void>;
    /** Sign in with email and password. For: everyone. `POST /auth/sign-in` */
    signIn(body: SignInBody, options?: CallOptions): Promise<Session>;
    /** Sign in with a one-time link from an email. For: everyone. `POST /auth/sign-in/link` */
    signInByLink(body: SignInByLinkBody, options?: CallOptions): Promise<Session>;
    /** End the current session. For: everyone. `POST /auth/sign-out` */
    signOut(body: SignOutBody, options?: CallOptions): Promise<void>;
}
export declare class UsersApi {
    #private;
    constructor(send: Send);
    /** Update the name, and preferences key by key. For: everyone signed in. `PATCH /users/me` */
    changeMe(body?: ChangeMeBody, options?: CallOptions): Promise<Me>;
    /** Retrieve the signed-in user with all their roles. For: everyone signed in. `GET /users/me` */
    getMe(options?: CallOptions): Promise<Me>;
    /** Create an access token for an assistant, which reads by the Model Context Protocol. Only this answer holds it. For: everyone signed in. `POST /users/me/tokens` */
    createMyToken(body: CreateMyTokenBody, options?: CallOptions): Promise<UserTokenWithToken>;
    /** List the access tokens of the user. For: everyone signed in. `GET /users/me/tokens` */
    listMyTokens(query?: ListMyTokensQuery, options?: CallOptions): List<Page<UserToken>>;
    /** Delete an access token. It stops working at once. For: everyone signed in. `DELETE /users/me/tokens/{id}` */
    deleteMyToken(tokenId: string, options?: CallOptions): Promise<void>;
    /** Sign out of every other session. For: everyone signed in. `DELETE /users/me/sessions` */
    endOtherSessions(options?: CallOptions): Promise<void>;
    /** List the sessions in which the user is signed in. For: everyone signed in. `GET /users/me/sessions` */
    listMySessions(query?: ListMySessionsQuery, options?: CallOptions): List<Page<UserSession>>;
    /** End one session. For: everyone signed in. `DELETE /users/me/sessions/{id}` */
    endSession(sessionId: string, options?: CallOptions): Promise<void>;
}
export declare class AccountsApi {
    #private;
    constructor(send: Send);
    /** Assign the owner. The previous owner keeps the role until the new one accepts. For: administrators. `PUT /accounts/{id}/owner` */
    assignOwner(accountId: string, body: AssignAccountOwnerBody, options?: CallOptions): Promise<Account>;
    /** Retrieve the owner, also before they accept. 404 if there is none. For: administrators, the account's owner. `GET /accounts/{id}/owner` */
    getOwner(accountId: string, options?: CallOptions): Promise<User>;
    /** Update settings. Nothing that is already booked changes. For: administrators, the account's owner. `PATCH /accounts/{id}` */
    change(accountId: string, body?: ChangeAccountBody, options?: CallOptions): Promise<Account>;
    /** Retrieve an account. Its partners see a reduced one. For: administrators, the account's owner, the partner. `GET /accounts/{id}` */
    get(accountId: string, options?: CallOptions): Promise<Account | AccountForPartner>;
    /** Update automatic payouts. Turning them on needs a profile that the token can see. For: the account's owner. `PUT /accounts/{id}/auto-payout-settings` */
    changeAutoPayoutSettings(accountId: string, body?: ChangeAutoPayoutSettingsBody, options?: CallOptions): Promise<AutoPayoutSettings>;
    /** Retrieve the settings of automatic payouts. For: the account's owner. `GET /accounts/{id}/auto-payout-settings` */
    getAutoPayoutSettings(accountId: string, options?: CallOptions): Promise<AutoPayoutSettings>;
    /** Create an account and invite its owner. Who names themselves is its owner at once. For: administrators. `POST /accounts` */
    create(body?: CreateAccountBody, options?: CallOptions): Promise<Account>;
    /** List all accounts with their statistics. For: administrators. `GET /accounts` */
    list(query?: ListAccountsQuery, options?: CallOptions): List<Page<AccountWithStats>>;
    /** Disable an account. For: administrators. `POST /accounts/{id}/disable` */
    disable(accountId: string, body?: DisableAccountBody, options?: CallOptions): Promise<Account>;
    /** Download all accounts. For: administrators. `GET /accounts/csv` */
    downloadAccounts(query?: DownloadAccountsQuery, options?: CallOptions): Promise<string>;
    /** Download who changed what, and when. For: the account's owner. `GET /accounts/{id}/audit/csv` */
    downloadAudit(accountId: string, query?: DownloadAuditQuery, options?: CallOptions): Promise<string>;
    /** Download the exchange rates. For: the account's owner. `GET /accounts/{id}/exchange-rates/csv` */
    downloadExchangeRates(accountId: string, query?: DownloadExchangeRatesQuery, options?: CallOptions): Promise<string>;
    /** Enable a disabled account. For: administrators. `POST /accounts/{id}/enable` */
    enable(accountId: string, body?: EnableAccountBody, options?: CallOptions): Promise<Account>;
    /** Enter an exchange rate. Sales that wait for it are booked. For: the account's owner. `POST /accounts/{id}/exchange-rates` */
    enterExchangeRate(accountId: string, body: EnterExchangeRateBody, options?: CallOptions): Promise<ExchangeRate>;
    /** List the exchange rates that were entered by hand and, of each other currency the account has sales in, the published one of its latest sale. For: the account's owner. `GET /accounts/{id}/exchange-rates` */
    listExchangeRates(accountId: string, query?: ListExchangeRatesQuery, options?: CallOptions): List<Page<ExchangeRate> & {
        currencies: string[];
    }>;
    /** Export everything the account holds except bank details, keys and secrets, as a zip of CSV files. For: the account's owner. `GET /accounts/{id}/export` */
    export(accountId: string, options?: CallOptions): Promise<Blob>;
    /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: administrators, the account's owner. `GET /accounts/{id}/historical-stats/{range}` */
    getHistoricalStats(accountId: string, range: string, options?: CallOptions): Promise<HistoricalStats>;
    /** Retrieve all-time statistics. For: administrators, the account's owner. `GET /accounts/{id}/stats` */
    getStats(accountId: string, options?: CallOptions): Promise<Stats>;
    /** Retrieve the owner's dashboard in one call. Range and compare are {from}..{to}. For: the account's owner. `GET /accounts/{id}/dashboard/{range}` */
    getDashboard(accountId: string, range: string, query?: GetDashboardQuery, options?: CallOptions): Promise<Dashboard>;
    /** Compare this month's revenue with last month's up to the same day, and what explains the difference. For: the account's owner. `GET /accounts/{id}/dashboard/pace` */
    getPace(accountId: string, options?: CallOptions): Promise<Pace>;
    /** List who changed what, and when. For: the account's owner. `GET /accounts/{id}/audit` */
    listAudit(accountId: string, query?: ListAuditQuery, options?: CallOptions): List<Page<AuditRow>>;
    /** List the profiles that a Wise token can see. Send `Authorization: wise:{token}`. For: everyone. `GET /wise/profiles` */
    listWiseProfiles(options?: CallOptions): Promise<ListWiseProfilesAnswer>;
    /** Create a new API key. The old one stops working at once. For: the account's owner. `PUT /accounts/{id}/api-key` */
    renewApiKey(accountId: string, options?: CallOptions): Promise<Account>;
    /** Send the owner a new set-up link. For: administrators. `POST /accounts/{id}/owner/invitation/retries` */
    retryOwnerInvitation(accountId: string, options?: CallOptions): Promise<OwnerInvitation>;
}
export declare class PartnersApi {
    #private;
    constructor(send: Send);
    /** Credit a partner for sales with a promotion code. Only new sales are affected. For: the account's owner. `POST /partners/{id}/promotion-codes` */
    addPromotionCode(partnerId: string, body: AddPromotionCodeBody, options?: CallOptions): Promise<PromotionCode>;
    /** List a partner's promotion codes. For: the account's owner, the partner. `GET /partners/{id}/promotion-codes` */
    listPromotionCodes(partnerId: string, query?: ListPromotionCodesQuery, options?: CallOptions): List<Page<PromotionCode>>;
    /** Book an adjustment by hand. It is due at once. For: the account's owner. `POST /partners/{id}/adjustments` */
    adjustBalance(partnerId: string, body: AdjustBalanceBody, options?: CallOptions): Promise<Entry>;
    /** Archive a partner. Past commissions never move. For: the account's owner. `POST /partners/{id}/archive` */
    archive(partnerId: string, body?: ArchivePartnerBody, options?: CallOptions): Promise<Partner>;
    /** Update a partner. Only new sales are affected. For: the account's owner, the partners above, the partner. `PUT /partners/{id}` */
    change(partnerId: string, body?: ChangePartnerBody, options?: CallOptions): Promise<Partner>;
    /** Delete a partner who has no history. For: the account's owner. `DELETE /partners/{id}` */
    delete(partnerId: string, options?: CallOptions): Promise<void>;
    /** Retrieve a partner. Partners above them see a reduced one. For: the account's owner, the partner, the partners above. `GET /partners/{id}` */
    get(partnerId: string, options?: CallOptions): Promise<Partner>;
    /** Create a partner. For: the account's owner. `POST /accounts/{id}/partners` */
    create(accountId: string, body: CreatePartnerBody, options?: CallOptions): Promise<Partner>;
    /** List partners of every layer and state. From and to are creation dates. For: the account's owner. `GET /accounts/{id}/partners` */
    list(accountId: string, query?: ListPartnersQuery, options?: CallOptions): List<Page<Partner>>;
    /** Create 1 to 100 partners, each with a result of its own. For: the account's owner. `POST /accounts/{id}/partners/bulk` */
    createPartners(accountId: string, body: CreatePartnersBody, options?: CallOptions): Promise<CreatePartnersAnswer>;
    /** Create a sub-partner. For: the account's owner, the partner. `POST /partners/{id}/partners` */
    createSubPartner(partnerId: string, body: CreateSubPartnerBody, options?: CallOptions): Promise<Partner>;
    /** List a partner's direct sub-partners. For: the account's owner, the partner, the partners above. `GET /partners/{id}/partners` */
    listSubPartners(partnerId: string, query?: ListSubPartnersQuery, options?: CallOptions): List<Page<Partner>>;
    /** Remove the deposit details. For: the partner. `DELETE /partners/{id}/payout-settings` */
    deletePayoutSettings(partnerId: string, options?: CallOptions): Promise<void>;
    /** Retrieve the deposit details, masked. For: the account's owner, the partner. `GET /partners/{id}/payout-settings` */
    getPayoutSettings(partnerId: string, options?: CallOptions): Promise<PayoutSettings>;
    /** Create or replace the deposit details. For: the partner. `POST /partners/{id}/payout-settings` */
    savePayoutSettings(partnerId: string, body: SavePayoutSettingsBody, options?: CallOptions): Promise<PayoutSettings>;
    /** Stop crediting a partner for a promotion code. Sales so far keep their credit. For: the account's owner. `DELETE /partners/{id}/promotion-codes/{codeId}` */
    deletePromotionCode(partnerId: string, codeId: string, options?: CallOptions): Promise<void>;
    /** Download the balances of all partners. For: the account's owner. `GET /accounts/{id}/balances/csv` */
    downloadBalances(accountId: string, query?: DownloadBalancesQuery, options?: CallOptions): Promise<string>;
    /** Download the ledger entries of a partner. For: the account's owner, the partner. `GET /partners/{id}/commissions/csv` */
    downloadCommissions(partnerId: string, query?: DownloadPartnerCommissionsQuery, options?: CallOptions): Promise<string>;
    /** Download all partners. For: the account's owner. `GET /accounts/{id}/partners/csv` */
    downloadPartners(accountId: string, query?: DownloadPartnersQuery, options?: CallOptions): Promise<string>;
    /** Download the promotion codes of a partner. For: the account's owner, the partner. `GET /partners/{id}/promotion-codes/csv` */
    downloadPromotionCodes(partnerId: string, query?: DownloadPromotionCodesQuery, options?: CallOptions): Promise<string>;
    /** Download the direct sub-partners of a partner. What a parent sees masked is left empty. For: the account's owner, the partner, the partners above. `GET /partners/{id}/partners/csv` */
    downloadSubPartners(partnerId: string, query?: DownloadSubPartnersQuery, options?: CallOptions): Promise<string>;
    /** Retrieve what a partner has earned and where it stands. For: the account's owner, the partner. `GET /partners/{id}/balance` */
    getBalance(partnerId: string, options?: CallOptions): Promise<Balance>;
    /** Retrieve the status of the invitation. 404 if never invited. For: the account's owner, the partners above. `GET /partners/{id}/invitation` */
    getInvitation(partnerId: string, options?: CallOptions): Promise<Invitation>;
    /** Revoke the invitation. For: the account's owner, the partners above. `DELETE /partners/{id}/invitation` */
    revokeInvitation(partnerId: string, options?: CallOptions): Promise<void>;
    /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: the account's owner, the partner. `GET /partners/{id}/historical-stats/{range}` */
    getHistoricalStats(partnerId: string, range: string, options?: CallOptions): Promise<PartnerHistoricalStats>;
    /** Retrieve all-time statistics. For: the account's owner, the partner. `GET /partners/{id}/stats` */
    getStats(partnerId: string, options?: CallOptions): Promise<Stats>;
    /** List the balances of all partners. For: the account's owner. `GET /accounts/{id}/balances` */
    listBalances(accountId: string, query?: ListBalancesQuery, options?: CallOptions): List<Page<Balance> & {
        totals: BalanceTotals;
    }>;
    /** List a partner's ledger entries, each with its sale and lead. Filtered by a status they add up to that part of the balance. For: the account's owner, the partner. `GET /partners/{id}/commissions` */
    listCommissions(partnerId: string, query?: ListPartnerCommissionsQuery, options?: CallOptions): List<Page<EntryWithSale> & {
        totals: EntryTotals;
    }>;
    /** Remind a partner of their payout details or their invitation, once a week of each. For: the account's owner. `POST /partners/{id}/reminders` */
    remind(partnerId: string, body: RemindPartnerBody, options?: CallOptions): Promise<Reminder>;
    /** Send the invitation, or send it again. The old link stops working. For: the account's owner, the partners above. `POST /partners/{id}/invitation/retries` */
    retryInvitation(partnerId: string, options?: CallOptions): Promise<Invitation>;
}
export declare class LinksApi {
    #private;
    constructor(send: Send);
    /** Update a link blueprint. Only new clicks and sales are affected. For: the account's owner. `PUT /link-blueprints/{id}` */
    change(linkBlueprintId: string, body?: ChangeLinkBlueprintBody, options?: CallOptions): Promise<LinkBlueprint>;
    /** Delete a link blueprint. Its links still redirect visitors. For: the account's owner. `DELETE /link-blueprints/{id}` */
    delete(linkBlueprintId: string, options?: CallOptions): Promise<void>;
    /** Retrieve a link blueprint. For: the account's owner. `GET /link-blueprints/{id}` */
    get(linkBlueprintId: string, options?: CallOptions): Promise<LinkBlueprint>;
    /** Create a link blueprint. Every partner has a link from it at once. For: the account's owner. `POST /accounts/{id}/link-blueprints` */
    create(accountId: string, body: CreateLinkBlueprintBody, options?: CallOptions): Promise<LinkBlueprint>;
    /** List link blueprints. For: the account's owner. `GET /accounts/{id}/link-blueprints` */
    list(accountId: string, query?: ListLinkBlueprintsQuery, options?: CallOptions): List<Page<LinkBlueprint>>;
    /** Download every partner's link from this blueprint. For: the account's owner. `GET /link-blueprints/{id}/links/csv` */
    downloadBlueprintLinks(linkBlueprintId: string, query?: DownloadBlueprintLinksQuery, options?: CallOptions): Promise<string>;
    /** Download all link blueprints. For: the account's owner. `GET /accounts/{id}/link-blueprints/csv` */
    downloadBlueprints(accountId: string, query?: DownloadLinkBlueprintsQuery, options?: CallOptions): Promise<string>;
    /** Download the links of a partner. For: the account's owner, the partner. `GET /partners/{id}/links/csv` */
    downloadPartnerLinks(partnerId: string, query?: DownloadPartnerLinksQuery, options?: CallOptions): Promise<string>;
    /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: the account's owner. `GET /link-blueprints/{id}/historical-stats/{range}` */
    getHistoricalStats(linkBlueprintId: string, range: string, options?: CallOptions): Promise<HistoricalStats>;
    /** Retrieve all-time statistics. For: the account's owner. `GET /link-blueprints/{id}/stats` */
    getStats(linkBlueprintId: string, options?: CallOptions): Promise<Stats>;
    /** List every partner's link from this blueprint. For: the account's owner. `GET /link-blueprints/{id}/links` */
    listBlueprintLinks(linkBlueprintId: string, query?: ListBlueprintLinksQuery, options?: CallOptions): List<Page<BlueprintLink>>;
    /** List a partner's enabled links. For: the account's owner, the partner. `GET /partners/{id}/links` */
    listPartnerLinks(partnerId: string, query?: ListPartnerLinksQuery, options?: CallOptions): List<Page<PartnerLink>>;
    /** Check that a destination responds and keeps the referral code. For: the account's owner. `POST /accounts/{id}/link-blueprints/test` */
    test(accountId: string, body: TestLinkBody, options?: CallOptions): Promise<LinkTest>;
}
export declare class LeadsApi {
    #private;
    constructor(send: Send);
    /** Add a note to the timeline of a lead. Its partner sees it only if it is shared. For: the account's owner. `POST /leads/{id}/notes` */
    addNote(leadId: string, body: AddLeadNoteBody, options?: CallOptions): Promise<LeadEvent>;
    /** Update a lead, including its protection. For: the account's owner. `PUT /leads/{id}` */
    change(leadId: string, body?: ChangeLeadBody, options?: CallOptions): Promise<Lead>;
    /** Delete a lead that has no sales. For: the account's owner. `DELETE /leads/{id}` */
    delete(leadId: string, options?: CallOptions): Promise<void>;
    /** Retrieve a lead. Its partner sees it masked. For: the account's owner, the partner. `GET /leads/{id}` */
    get(leadId: string, options?: CallOptions): Promise<Lead>;
    /** Change the status of a lead. For: the account's owner. `POST /leads/{id}/status` */
    changeStatus(leadId: string, body: ChangeLeadStatusBody, options?: CallOptions): Promise<Lead>;
    /** Create a lead by hand. For: the account's owner. `POST /accounts/{id}/leads` */
    create(accountId: string, body: CreateLeadBody, options?: CallOptions): Promise<Lead>;
    /** List all leads. From and to are creation dates, and unanswered leads have been new for more than 48 hours. For: the account's owner. `GET /accounts/{id}/leads` */
    list(accountId: string, query?: ListLeadsQuery, options?: CallOptions): List<Page<Lead>>;
    /** Download the timeline of a lead. For: the account's owner, the partner. `GET /leads/{id}/events/csv` */
    downloadEvents(leadId: string, query?: DownloadLeadEventsQuery, options?: CallOptions): Promise<string>;
    /** Download when and from where a lead was sent. For: the account's owner. `GET /leads/{id}/submissions/csv` */
    downloadSubmissions(leadId: string, query?: DownloadLeadSubmissionsQuery, options?: CallOptions): Promise<string>;
    /** Download all leads. For: the account's owner. `GET /accounts/{id}/leads/csv` */
    downloadLeads(accountId: string, query?: DownloadLeadsQuery, options?: CallOptions): Promise<string>;
    /** Download the leads of a partner. What they see masked is left empty. For: the account's owner, the partner. `GET /partners/{id}/leads/csv` */
    downloadPartnerLeads(partnerId: string, query?: DownloadPartnerLeadsQuery, options?: CallOptions): Promise<string>;
    /** Find leads of the same company, by the domain of an email (never of a public mail provider) and by its name. For: the account's owner. `GET /accounts/{id}/leads/similar` */
    findSimilarLeads(accountId: string, query?: FindSimilarLeadsQuery, options?: CallOptions): Promise<SimilarLeads>;
    /** Retrieve statistics by day, week or month. The range is {from}..{to}. For: the account's owner, the partner. `GET /leads/{id}/historical-stats/{range}` */
    getHistoricalStats(leadId: string, range: string, options?: CallOptions): Promise<LeadHistoricalStats>;
    /** Retrieve all-time statistics. For: the account's owner, the partner. `GET /leads/{id}/stats` */
    getStats(leadId: string, options?: CallOptions): Promise<LeadStats>;
    /** List the timeline of a lead. For: the account's owner, the partner. `GET /leads/{id}/events` */
    listEvents(leadId: string, query?: ListLeadEventsQuery, options?: CallOptions): List<Page<LeadEvent>>;
    /** List what was sent of a lead in the last 400 days, as it came. For: the account's owner. `GET /leads/{id}/submissions` */
    listSubmissions(leadId: string, query?: ListLeadSubmissionsQuery, options?: CallOptions): List<Page<LeadSubmission>>;
    /** List a partner's own leads. For: the account's owner, the partner. `GET /partners/{id}/leads` */
    listPartnerLeads(partnerId: string, query?: ListPartnerLeadsQuery, options?: CallOptions): List<Page<Lead>>;
    /** Submit a lead as a partner, where the account allows it. For: the account's owner, the partner. `POST /partners/{id}/leads` */
    submit(partnerId: string, body: SubmitLeadBody, options?: CallOptions): Promise<SubmittedLeadVerdict>;
    /** Reassign a lead to another partner, or preview its earlier sales. Only new sales are affected unless you say so. For: the account's owner. `POST /leads/{id}/reassign` */
    reassign(leadId: string, body: ReassignLeadBody, options?: CallOptions): Promise<Lead | EarlierSales>;
}
export declare class SalesApi {
    #private;
    constructor(send: Send);
    /** Credit a partner with a sale that has none, or preview the earlier sales. For: the account's owner. `POST /sales/{id}/attribute` */
    attribute(saleId: string, body: AttributeSaleBody, options?: CallOptions): Promise<Sale | EarlierSales>;
    /** Update the description of a sale. For: the account's owner. `PATCH /sales/{id}` */
    change(saleId: string, body?: ChangeSaleBody, options?: CallOptions): Promise<Sale>;
    /** Retrieve a sale. For: the account's owner. `GET /sales/{id}` */
    get(saleId: string, options?: CallOptions): Promise<Sale>;
    /** Record a sale by hand and book its commissions. For: the account's owner. `POST /leads/{id}/sales` */
    create(leadId: string, body: CreateSaleBody, options?: CallOptions): Promise<Sale>;
    /** List the sales of a lead. For: the account's owner, the partner. `GET /leads/{id}/sales` */
    listLeadSales(leadId: string, query?: ListLeadSalesQuery, options?: CallOptions): List<Page<Sale>>;
    /** Download the sales of a lead. For: the account's owner, the partner. `GET /leads/{id}/sales/csv` */
    downloadLeadSales(leadId: string, query?: DownloadLeadSalesQuery, options?: CallOptions): Promise<string>;
    /** Download the revenue lines. For: the account's owner. `GET /accounts/{id}/revenue-lines/csv` */
    downloadRevenueLines(accountId: string, query?: DownloadRevenueLinesQuery, options?: CallOptions): Promise<string>;
    /** Download the ledger entries of a sale. For: the account's owner, the partner. `GET /sales/{id}/commissions/csv` */
    downloadCommissions(saleId: string, query?: DownloadSaleCommissionsQuery, options?: CallOptions): Promise<string>;
    /** Download all sales. For: the account's owner. `GET /accounts/{id}/sales/csv` */
    downloadSales(accountId: string, query?: DownloadSalesQuery, options?: CallOptions): Promise<string>;
    /** Explain which rule credited a sale, and why the others didn't. For: the account's owner. `GET /sales/{id}/match` */
    getMatch(saleId: string, options?: CallOptions): Promise<SaleMatch>;
    /** List revenue lines: what the statistics count of sales, each on its own day. The totals match the statistics of the same days. For: the account's owner. `GET /accounts/{id}/revenue-lines` */
    listRevenueLines(accountId: string, query?: ListRevenueLinesQuery, options?: CallOptions): List<Page<RevenueLine> & {
        totals: RevenueTotals;
    }>;
    /** List the ledger entries of a sale. Partners see only their own. For: the account's owner, the partner. `GET /sales/{id}/commissions` */
    listCommissions(saleId: string, query?: ListSaleCommissionsQuery, options?: CallOptions): List<Page<Entry>>;
    /** List all sales. From and to are sale dates. For: the account's owner. `GET /accounts/{id}/sales` */
    list(accountId: string, query?: ListSalesQuery, options?: CallOptions): List<Page<Sale>>;
    /** Preview who would earn what from a sale. Nothing is written. For: the account's owner. `POST /accounts/{id}/commission-preview` */
    previewCommission(accountId: string, body: PreviewCommissionBody, options?: CallOptions): Promise<CommissionPreview>;
    /** Preview what last month's sales would have paid by other rates. Nothing is written. For: the account's owner. `POST /accounts/{id}/rates-preview` */
    previewRates(accountId: string, body: PreviewRatesBody, options?: CallOptions): Promise<RatesEffect>;
    /** Record a refund by hand and reverse its part of every commission. For: the account's owner. `POST /sales/{id}/refunds` */
    refund(saleId: string, body: RefundSaleBody, options?: CallOptions): Promise<Sale>;
    /** Release a sale from its fraud hold. For: the account's owner. `POST /sales/{id}/release` */
    release(saleId: string, body: ReleaseSaleBody, options?: CallOptions): Promise<Sale>;
    /** Void a sale that was recorded by mistake. For: the account's owner. `POST /sales/{id}/void` */
    void(saleId: string, body: VoidSaleBody, options?: CallOptions): Promise<Sale>;
}
export declare class CommissionsApi {
    #private;
    constructor(send: Send);
    /** Download the ledger entries of all partners. For: the account's owner. `GET /accounts/{id}/commissions/csv` */
    downloadCommissions(accountId: string, query?: DownloadCommissionsQuery, options?: CallOptions): Promise<string>;
    /** Retrieve the receipt of a commission entry: everything that explains its amount. For: the account's owner, the partner. `GET /commissions/{id}` */
    getReceipt(commissionId: string, options?: CallOptions): Promise<Receipt>;
    /** List the ledger entries of all partners, each with its sale. From and to are days of the sale, dueFrom and dueTo those on which entries fall due. For: the account's owner. `GET /accounts/{id}/commissions` */
    list(accountId: string, query?: ListCommissionsQuery, options?: CallOptions): List<Page<EntryWithSale> & {
        totals: CommissionTotals;
    }>;
}
export declare class PayoutsApi {
    #private;
    constructor(send: Send);
    /** Take in Wise's results of a batch file. DryRun changes nothing. For: the account's owner. `POST /accounts/{id}/payouts/results` */
    applyResults(accountId: string, body: ApplyPayoutResultsBody, options?: CallOptions): Promise<PayoutResults>;
    /** Approve many partners for payouts in a calendar year. Answers whose approval changed. For: the account's owner. `POST /accounts/{id}/tax-years/{year}/approvals` */
    approveForTaxYear(accountId: string, year: string, body: ApproveForTaxYearBody, options?: CallOptions): Promise<ApproveForTaxYearAnswer>;
    /** Approve a due payout, as it was shown. For: the account's owner. `POST /payouts/{id}/approve` */
    approve(payoutId: string, body?: ApprovePayoutBody, options?: CallOptions): Promise<Payout>;
    /** Approve many payouts, or preview the approval. For: the account's owner. `POST /accounts/{id}/payouts/approve` */
    approvePayouts(accountId: string, body: ApprovePayoutsBody, options?: CallOptions): Promise<ApprovalResults | ApprovalPreview>;
    /** Cancel a payout before any money may have left. For: the account's owner. `POST /payouts/{id}/cancel` */
    cancel(payoutId: string, options?: CallOptions): Promise<Payout>;
    /** Set the threshold of a year report. Null follows the law. For: the account's owner. `PUT /accounts/{id}/tax-years/{year}` */
    changeTaxYear(accountId: string, year: string, body: ChangeTaxYearBody, options?: CallOptions): Promise<TaxYearTerms>;
    /** List what each partner was paid in a calendar year, with approval and tax form. For: the account's owner. `GET /accounts/{id}/tax-years/{year}` */
    listTaxYear(accountId: string, year: string, query?: ListTaxYearQuery, options?: CallOptions): List<Page<TaxYearPartner> & {
        year: number;
        currency: string;
        threshold: number | null;
        legalThreshold: number | null;
        totals: TaxYearTotals;
    }>;
    /** Decide on unknown transfers and resume payouts once none is left. For: the account's owner. `POST /accounts/{id}/payouts/reconciliation/confirm` */
    confirmReconciliation(accountId: string, body?: ConfirmPayoutReconciliationBody, options?: CallOptions): Promise<PayoutReconciliation>;
    /** Download the payouts of a partner. For: the account's owner, the partner. `GET /partners/{id}/payouts/csv` */
    downloadPartnerPayouts(partnerId: string, query?: DownloadPartnerPayoutsQuery, options?: CallOptions): Promise<string>;
    /** Download the ledger entries that a payout pays. For: the account's owner, the partner. `GET /payouts/{id}/entries/csv` */
    downloadEntries(payoutId: string, query?: DownloadPayoutEntriesQuery, options?: CallOptions): Promise<string>;
    /** Download all payouts, or approve due ones into a batch file for Wise. For: the account's owner. `GET /accounts/{id}/payouts/csv` */
    downloadPayouts(accountId: string, query?: DownloadPayoutsQuery, options?: CallOptions): Promise<string>;
    /** Download the year report. For: the account's owner. `GET /accounts/{id}/tax-years/{year}/csv` */
    downloadTaxYear(accountId: string, year: string, query?: DownloadTaxYearQuery, options?: CallOptions): Promise<string>;
    /** Retrieve a partner's next paydays and what they bring. For: the account's owner, the partner. `GET /partners/{id}/payouts/forecast` */
    getPartnerForecast(partnerId: string, options?: CallOptions): Promise<PayoutForecast>;
    /** Retrieve a payout. For: the account's owner, the partner. `GET /payouts/{id}` */
    get(payoutId: string, options?: CallOptions): Promise<Payout>;
    /** Retrieve what a person can do now to get partners paid, and how much waits for it. For: the account's owner. `GET /accounts/{id}/payouts/attention` */
    getAttention(accountId: string, options?: CallOptions): Promise<PayoutAttention>;
    /** Retrieve the next paydays of an account and what they take. For: the account's owner. `GET /accounts/{id}/payouts/forecast` */
    getForecast(accountId: string, options?: CallOptions): Promise<PayoutForecast>;
    /** Retrieve why payouts are paused, and what was paid beside the ledger. For: the account's owner. `GET /accounts/{id}/payouts/reconciliation` */
    getReconciliation(accountId: string, options?: CallOptions): Promise<PayoutReconciliation>;
    /** Read the transfers of the last 90 days again. For: the account's owner. `POST /accounts/{id}/payouts/reconciliation` */
    startReconciliation(accountId: string, options?: CallOptions): Promise<PayoutReconciliation>;
    /** Retrieve the statement of a payout. A page that prints, with all entries, or by Accept a PDF or what stands above the entries as JSON. Paper is that of the PDF: letter for an account in usd, else a4. For: the account's owner, the partner. `GET /payouts/{id}/statement` */
    getStatement(payoutId: string, query?: GetPayoutStatementQuery, options?: CallOptions): Promise<PayoutStatement>;
    /** Retrieve the totals due now, awaiting funding and paid this year. For: the account's owner. `GET /accounts/{id}/payouts/totals` */
    getTotals(accountId: string, options?: CallOptions): Promise<PayoutTotals>;
    /** List the payouts of a partner. For: the account's owner, the partner. `GET /partners/{id}/payouts` */
    listPartnerPayouts(partnerId: string, query?: ListPartnerPayoutsQuery, options?: CallOptions): List<Page<Payout>>;
    /** List the ledger entries that a payout pays. For: the account's owner, the partner. `GET /payouts/{id}/entries` */
    listEntries(payoutId: string, query?: ListPayoutEntriesQuery, options?: CallOptions): List<Page<EntryWithSale>>;
    /** List all payouts. From and to are creation dates. For: the account's owner. `GET /accounts/{id}/payouts` */
    list(accountId: string, query?: ListPayoutsQuery, options?: CallOptions): List<Page<Payout> & {
        totals: PayoutSums;
    }>;
    /** Mark a payout as paid by other means. For: the account's owner. `POST /payouts/{id}/mark-paid` */
    markPaid(payoutId: string, body: MarkPayoutPaidBody, options?: CallOptions): Promise<Payout>;
    /** Mark many payouts as paid by other means. For: the account's owner. `POST /accounts/{id}/payouts/mark-paid` */
    markPayoutsPaid(accountId: string, body: MarkPayoutsPaidBody, options?: CallOptions): Promise<ApprovalResults>;
    /** Collect what is due, run automatic payouts and refresh open transfers now. For: the account's owner. `POST /accounts/{id}/payouts/refresh` */
    refreshPayouts(accountId: string, body?: RefreshPayoutsBody, options?: CallOptions): Promise<RefreshPayoutsAnswer>;
    /** Retry a failed or unfunded payout. For: the account's owner. `POST /payouts/{id}/retry` */
    retry(payoutId: string, options?: CallOptions): Promise<Payout>;
}
export declare class PaymentProvidersApi {
    #private;
    constructor(send: Send);
    /** Replace the credentials after checking the key, or replace the signing secret. For: the account's owner. `PATCH /accounts/{id}/payment-providers/{connectionId}` */
    changeConnection(accountId: string, connectionId: string, body?: ChangeConnectionBody, options?: CallOptions): Promise<Connection>;
    /** Check with the provider that the connection works. For: the account's owner. `POST /accounts/{id}/payment-providers/{connectionId}/check` */
    checkConnection(accountId: string, connectionId: string, options?: CallOptions): Promise<Connection>;
    /** Connect a provider after checking its key. For: the account's owner. `POST /accounts/{id}/payment-providers/connect` */
    connectProvider(accountId: string, body: ConnectProviderBody, options?: CallOptions): Promise<Connection>;
    /** Disconnect a provider. Its history stays. For: the account's owner. `DELETE /accounts/{id}/payment-providers/disconnect` */
    disconnectProvider(accountId: string, body: DisconnectProviderBody, options?: CallOptions): Promise<void>;
    /** Download all connections to payment providers. For: the account's owner. `GET /accounts/{id}/payment-providers/csv` */
    downloadConnections(accountId: string, query?: DownloadConnectionsQuery, options?: CallOptions): Promise<string>;
    /** Download the events received from a provider. For: the account's owner. `GET /accounts/{id}/payment-providers/{connectionId}/events/csv` */
    downloadProviderEvents(accountId: string, connectionId: string, query?: DownloadProviderEventsQuery, options?: CallOptions): Promise<string>;
    /** Start a connection that the owner allows on the provider's own site. Answers where to send them. For: the account's owner. `GET /accounts/{id}/payment-providers/connect-url/{provider}` */
    getConnectUrl(accountId: string, provider: "stripe" | "paddle" | "paypal" | "square" | "lemon-squeezy" | "shopify" | "generic", options?: CallOptions): Promise<GetConnectUrlAnswer>;
    /** Import the past sales that a provider remembers. A dry run only says what would be created. For: the account's owner. `POST /accounts/{id}/payment-providers/{connectionId}/imports` */
    importPastSales(accountId: string, connectionId: string, body: ImportPastSalesBody, options?: CallOptions): Promise<Import>;
    /** List the providers that can be connected, and what each asks for. For: the account's owner. `GET /accounts/{id}/payment-providers/available` */
    listAvailableProviders(accountId: string, options?: CallOptions): Promise<ListAvailableProvidersAnswer>;
    /** List the connections to payment providers. For: the account's owner. `GET /accounts/{id}/payment-providers` */
    listConnections(accountId: string, query?: ListConnectionsQuery, options?: CallOptions): List<Page<Connection>>;
    /** List the events received from a provider, and what became of each. For: the account's owner. `GET /accounts/{id}/payment-providers/{connectionId}/events` */
    listProviderEvents(accountId: string, connectionId: string, query?: ListProviderEventsQuery, options?: CallOptions): List<Page<ProviderEvent>>;
    /** Try again to process an event that failed or waits. For: the account's owner. `POST /accounts/{id}/payment-providers/{connectionId}/events/{eventId}/retries` */
    retryProviderEvent(accountId: string, connectionId: string, eventId: string, options?: CallOptions): Promise<ProviderEvent>;
}
export declare class OutgoingWebhooksApi {
    #private;
    constructor(send: Send);
    /** Update an outgoing webhook. Turning it on again starts its count of failures at zero. For: the account's owner. `PUT /outgoing-webhooks/{id}` */
    change(outgoingWebhookId: string, body?: ChangeOutgoingWebhookBody, options?: CallOptions): Promise<OutgoingWebhook>;
    /** Delete an outgoing webhook and its deliveries. For: the account's owner. `DELETE /outgoing-webhooks/{id}` */
    delete(outgoingWebhookId: string, options?: CallOptions): Promise<void>;
    /** Retrieve an outgoing webhook. For: the account's owner. `GET /outgoing-webhooks/{id}` */
    get(outgoingWebhookId: string, options?: CallOptions): Promise<OutgoingWebhook>;
    /** Create an outgoing webhook. Only this answer holds its secret. For: the account's owner. `POST /accounts/{id}/outgoing-webhooks` */
    create(accountId: string, body: CreateOutgoingWebhookBody, options?: CallOptions): Promise<OutgoingWebhookWithSecret>;
    /** List an account's outgoing webhooks. For: the account's owner. `GET /accounts/{id}/outgoing-webhooks` */
    list(accountId: string, query?: ListOutgoingWebhooksQuery, options?: CallOptions): List<Page<OutgoingWebhook>>;
    /** Download the deliveries of an outgoing webhook. For: the account's owner. `GET /outgoing-webhooks/{id}/deliveries/csv` */
    downloadOutgoingDeliveries(outgoingWebhookId: string, query?: DownloadOutgoingDeliveriesQuery, options?: CallOptions): Promise<string>;
    /** Download an account's outgoing webhooks, without their headers. For: the account's owner. `GET /accounts/{id}/outgoing-webhooks/csv` */
    downloadOutgoingWebhooks(accountId: string, query?: DownloadOutgoingWebhooksQuery, options?: CallOptions): Promise<string>;
    /** List the deliveries of an outgoing webhook. For: the account's owner. `GET /outgoing-webhooks/{id}/deliveries` */
    listOutgoingDeliveries(outgoingWebhookId: string, query?: ListOutgoingDeliveriesQuery, options?: CallOptions): List<Page<OutgoingDelivery>>;
    /** List the events an outgoing webhook can send. For: the account's owner. `GET /outgoing-webhooks/events` */
    listWebhookEvents(options?: CallOptions): Promise<ListWebhookEventsAnswer>;
    /** Send a delivery again. For: the account's owner. `POST /outgoing-webhooks/{id}/deliveries/{deliveryId}/retries` */
    resendDelivery(outgoingWebhookId: string, deliveryId: string, options?: CallOptions): Promise<OutgoingDelivery>;
    /** Send again all deliveries since then that failed. For: the account's owner. `POST /outgoing-webhooks/{id}/retries` */
    resendFailed(outgoingWebhookId: string, body: ResendFailedBody, options?: CallOptions): Promise<ResendFailedAnswer>;
    /** Replace the secret. For 24 hours deliveries are signed with both. For: the account's owner. `POST /outgoing-webhooks/{id}/secret` */
    rotateOutgoingSecret(outgoingWebhookId: string, options?: CallOptions): Promise<OutgoingWebhookWithSecret>;
    /** Send a test event. For: the account's owner. `POST /outgoing-webhooks/{id}/test` */
    test(outgoingWebhookId: string, options?: CallOptions): Promise<OutgoingDelivery>;
}
export declare class IncomingWebhooksApi {
    #private;
    constructor(send: Send);
    /** Update an incoming webhook. For: the account's owner. `PUT /incoming-webhooks/{id}` */
    change(incomingWebhookId: string, body?: ChangeIncomingWebhookBody, options?: CallOptions): Promise<IncomingWebhook>;
    /** Delete an incoming webhook. What it made stays. For: the account's owner. `DELETE /incoming-webhooks/{id}` */
    delete(incomingWebhookId: string, options?: CallOptions): Promise<void>;
    /** Retrieve an incoming webhook with its latest sample. For: the account's owner. `GET /incoming-webhooks/{id}` */
    get(incomingWebhookId: string, options?: CallOptions): Promise<IncomingWebhook>;
    /** Create an incoming webhook. Without a mapping it captures samples. For: the account's owner. `POST /accounts/{id}/incoming-webhooks` */
    create(accountId: string, body: CreateIncomingWebhookBody, options?: CallOptions): Promise<IncomingWebhook>;
    /** List an account's incoming webhooks. For: the account's owner. `GET /accounts/{id}/incoming-webhooks` */
    list(accountId: string, query?: ListIncomingWebhooksQuery, options?: CallOptions): List<Page<IncomingWebhook>>;
    /** Download the deliveries of an incoming webhook, without payloads. For: the account's owner. `GET /incoming-webhooks/{id}/deliveries/csv` */
    downloadIncomingDeliveries(incomingWebhookId: string, query?: DownloadIncomingDeliveriesQuery, options?: CallOptions): Promise<string>;
    /** Download an account's incoming webhooks, without their addresses. For: the account's owner. `GET /accounts/{id}/incoming-webhooks/csv` */
    downloadIncomingWebhooks(accountId: string, query?: DownloadIncomingWebhooksQuery, options?: CallOptions): Promise<string>;
    /** Retrieve a delivery with its whole payload. For: the account's owner. `GET /incoming-webhooks/{id}/deliveries/{deliveryId}` */
    getIncomingDelivery(incomingWebhookId: string, deliveryId: string, options?: CallOptions): Promise<IncomingDelivery>;
    /** List what an incoming webhook received. For: the account's owner. `GET /incoming-webhooks/{id}/deliveries` */
    listIncomingDeliveries(incomingWebhookId: string, query?: ListIncomingDeliveriesQuery, options?: CallOptions): List<Page<IncomingDelivery>>;
    /** Process a delivery that failed or was ignored again. For: the account's owner. `POST /incoming-webhooks/{id}/deliveries/{deliveryId}/replays` */
    replayDelivery(incomingWebhookId: string, deliveryId: string, options?: CallOptions): Promise<IncomingDelivery>;
    /** Process all failed deliveries again. For: the account's owner. `POST /incoming-webhooks/{id}/replays` */
    replayFailed(incomingWebhookId: string, options?: CallOptions): Promise<ReplayFailedAnswer>;
    /** Replace the URL. The former one works for 24 more hours. For: the account's owner. `POST /incoming-webhooks/{id}/secret` */
    rotateIncomingUrl(incomingWebhookId: string, options?: CallOptions): Promise<IncomingWebhook>;
    /** See what a payload would make. Nothing is kept. For: the account's owner. `POST /incoming-webhooks/{id}/test` */
    test(incomingWebhookId: string, body: TestIncomingWebhookBody, options?: CallOptions): Promise<IncomingRehearsal>;
}
export declare class ImportsApi {
    #private;
    constructor(send: Send);
    /** Stop an import. What it has created stays, until it is undone. For: the account's owner. `POST /imports/{id}/cancel` */
    cancel(importId: string, options?: CallOptions): Promise<Import>;
    /** Import a file of partners, leads, sales or payouts. A dry run only says what would be created. For: the account's owner. `POST /accounts/{id}/imports` */
    create(accountId: string, body: CreateImportBody, options?: CallOptions): Promise<Import>;
    /** List imports. For: the account's owner. `GET /accounts/{id}/imports` */
    list(accountId: string, query?: ListImportsQuery, options?: CallOptions): List<Page<Import>>;
    /** Download the rows that failed, as they were in the file, each with its row, field and message. For: the account's owner. `GET /imports/{id}/errors` */
    downloadErrors(importId: string, options?: CallOptions): Promise<string>;
    /** Download all imports. For: the account's owner. `GET /accounts/{id}/imports/csv` */
    downloadImports(accountId: string, query?: DownloadImportsQuery, options?: CallOptions): Promise<string>;
    /** Retrieve an import with its progress. For: the account's owner. `GET /imports/{id}` */
    get(importId: string, options?: CallOptions): Promise<Import>;
    /** Read the beginning of a file: its columns, first rows, and how they would be mapped. For: the account's owner. `POST /accounts/{id}/imports/preview` */
    preview(accountId: string, body: PreviewImportBody, options?: CallOptions): Promise<ImportPreview>;
    /** Undo an import within a day, while nothing was paid from it and nothing else depends on it. For: the account's owner. `POST /imports/{id}/undo` */
    undo(importId: string, options?: CallOptions): Promise<Import>;
}
export declare class RehearsalsApi {
    #private;
    constructor(send: Send);
    /** Retrieve how a rehearsal goes, or went. It is forgotten after a day. For: the account's owner. `GET /accounts/{id}/rehearsals/{rehearsalId}` */
    get(accountId: string, rehearsalId: string, options?: CallOptions): Promise<Rehearsal>;
    /** Play a sale through: from the click to the refund, counted nowhere and gone afterwards. For: the account's owner. `POST /accounts/{id}/rehearsals` */
    start(accountId: string, body?: NewRehearsal, options?: CallOptions): Promise<Rehearsal>;
}
export declare class ApiKeysApi {
    #private;
    constructor(send: Send);
    /** Create an API key. Only this answer holds it. For: the account's owner. `POST /accounts/{id}/api-keys` */
    create(accountId: string, body: CreateApiKeyBody, options?: CallOptions): Promise<ApiKeyWithKey>;
    /** List the account's API keys. For: the account's owner. `GET /accounts/{id}/api-keys` */
    list(accountId: string, query?: ListApiKeysQuery, options?: CallOptions): List<Page<ApiKey>>;
    /** Delete an API key. It stops working at once. For: the account's owner. `DELETE /accounts/{id}/api-keys/{keyId}` */
    delete(accountId: string, keyId: string, options?: CallOptions): Promise<void>;
    /** Download all API keys, without the keys themselves. For: the account's owner. `GET /accounts/{id}/api-keys/csv` */
    downloadApiKeys(accountId: string, query?: DownloadApiKeysQuery, options?: CallOptions): Promise<string>;
    /** Replace an API key with a new one of the same name and rights. The old one works for 24 more hours. For: the account's owner. `POST /accounts/{id}/api-keys/{keyId}/rotations` */
    rotate(accountId: string, keyId: string, options?: CallOptions): Promise<ApiKeyWithKey>;
}
export declare class PushApi {
    #private;
    constructor(send: Send);
    /** Download the last 100 push calls. For: the account's owner. `GET /accounts/{id}/push-requests/csv` */
    downloadRequests(accountId: string, query?: DownloadPushRequestsQuery, options?: CallOptions): Promise<string>;
    /** List the last 100 push calls, including refused ones. For: the account's owner. `GET /accounts/{id}/push-requests` */
    listRequests(accountId: string, query?: ListPushRequestsQuery, options?: CallOptions): List<Page<PushRequest>>;
    /** Record clicks that were counted elsewhere. For: the bearer of an account's API key. `POST /push/clicks` */
    clicks(body: NewPushedClick, options?: CallOptions): Promise<PushedClick>;
    clicks(body: readonly NewPushedClick[], options?: CallOptions): Promise<PushResults>;
    /** Create or update leads. A known lead answers 200. For: the bearer of an account's API key. `POST /push/leads` */
    leads(body: NewPushedLead, options?: CallOptions): Promise<Lead>;
    leads(body: readonly NewPushedLead[], options?: CallOptions): Promise<PushResults>;
    /** Record refunds of pushed sales. A known refund answers 200 with the one first recorded. For: the bearer of an account's API key. `POST /push/refunds` */
    refunds(body: NewPushedRefund, options?: CallOptions): Promise<Refund>;
    refunds(body: readonly NewPushedRefund[], options?: CallOptions): Promise<PushResults>;
    /** Record sales. A known sale answers 200 with the one first recorded. For: the bearer of an account's API key. `POST /push/sales` */
    sales(body: NewPushedSale, options?: CallOptions): Promise<Sale>;
    sales(body: readonly NewPushedSale[], options?: CallOptions): Promise<PushResults>;
}
export declare class EmbedApi {
    #private;
    constructor(send: Send);
    /** Retrieve what the script has found. For: the account's owner. `GET /accounts/{id}/embed-code/checks/{checkId}` */
    getCheck(accountId: string, checkId: string, options?: CallOptions): Promise<EmbedCheck>;
    /** Retrieve the embed code settings. 404 while there are none. For: the account's owner. `GET /accounts/{id}/embed-code` */
    getCode(accountId: string, options?: CallOptions): Promise<EmbedCode>;
    /** Create or update the embed code settings. For: the account's owner. `PUT /accounts/{id}/embed-code` */
    saveCode(accountId: string, body?: SaveEmbedCodeBody, options?: CallOptions): Promise<EmbedCode>;
    /** Open a page to see which elements the script finds on it. For: the account's owner. `POST /accounts/{id}/embed-code/checks` */
    startCheck(accountId: string, body: StartEmbedCheckBody, options?: CallOptions): Promise<StartedEmbedCheck>;
}
export declare class MailApi {
    #private;
    constructor(send: Send);
    /** Turn the mails that a link is about off, or on again. For: the bearer of a set-up or reset link. `PUT /mail/subscription` */
    changeSubscription(body: ChangeMailSubscriptionBody, options?: CallOptions): Promise<MailSubscription>;
    /** Retrieve what the link of a mail turns off. For: the bearer of a set-up or reset link. `GET /mail/subscription` */
    getSubscription(options?: CallOptions): Promise<MailSubscription>;
    /** Download the mails of the last 90 days and what became of each, without their texts. For: administrators. `GET /mail/log/csv` */
    downloadLoggedMails(query?: DownloadLoggedMailsQuery, options?: CallOptions): Promise<string>;
    /** Retrieve a mail, with its text while no mail server is set. For: administrators. `GET /mail/log/{id}` */
    getLoggedMail(logId: string, options?: CallOptions): Promise<KeptMail>;
    /** Retrieve a kind of mail as it reads with made-up data. For: administrators. `GET /mail/previews/{kind}` */
    getPreview(kind: string, options?: CallOptions): Promise<WholeMailPreview>;
    /** Retrieve how mail is sent. Without a mail server it is kept in the outbox. For: administrators. `GET /mail/status` */
    getStatus(options?: CallOptions): Promise<GetMailStatusAnswer>;
    /** List the mails of the last 90 days and what became of each. For: administrators. `GET /mail/log` */
    listLoggedMails(query?: ListLoggedMailsQuery, options?: CallOptions): List<Page<LoggedMail>>;
    /** List the groups of mails that the signed-in user may get. `preferences.mail` of the user turns them off. For: everyone signed in. `GET /mail/choices` */
    listChoices(options?: CallOptions): Promise<ListMailChoicesAnswer>;
    /** List the kinds of mail there are. For: administrators. `GET /mail/previews` */
    listPreviews(options?: CallOptions): Promise<ListMailPreviewsAnswer>;
    /** Send a test mail. Its line in the log says what became of it. For: administrators. `POST /mail/tests` */
    sendTestMail(body: SendTestMailBody, options?: CallOptions): Promise<LoggedMail>;
}
export declare class SystemApi {
    #private;
    constructor(send: Send);
    /** Download the events and jobs that failed every try. For: administrators. `GET /admin/system/parked/csv` */
    downloadParked(query?: DownloadParkedQuery, options?: CallOptions): Promise<string>;
    /** Retrieve how this install is doing. For: administrators. `GET /admin/system` */
    get(options?: CallOptions): Promise<System>;
    /** List the events and jobs that failed every try. For: administrators. `GET /admin/system/parked` */
    listParked(query?: ListParkedQuery, options?: CallOptions): List<Page<Parked>>;
    /** Try everything that is parked again. For: administrators. `POST /admin/system/parked/retry` */
    retryAllParked(options?: CallOptions): Promise<RetryAllParkedAnswer>;
    /** Try a parked event or job again. For: administrators. `POST /admin/system/parked/{id}/retry` */
    retryParked(parkedId: string, options?: CallOptions): Promise<RetryParkedAnswer>;
}
export declare class Api {
    readonly auth: AuthApi;
    readonly users: UsersApi;
    readonly accounts: AccountsApi;
    readonly partners: PartnersApi;
    readonly links: LinksApi;
    readonly leads: LeadsApi;
    readonly sales: SalesApi;
    readonly commissions: CommissionsApi;
    readonly payouts: PayoutsApi;
    readonly paymentProviders: PaymentProvidersApi;
    readonly outgoingWebhooks: OutgoingWebhooksApi;
    readonly incomingWebhooks: IncomingWebhooksApi;
    readonly imports: ImportsApi;
    readonly rehearsals: RehearsalsApi;
    readonly apiKeys: ApiKeysApi;
    readonly push: PushApi;
    readonly embed: EmbedApi;
    readonly mail: MailApi;
    readonly system: SystemApi;
    constructor(send: Send);
}
