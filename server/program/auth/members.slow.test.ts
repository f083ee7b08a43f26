process.env.RUNS ??= '16'
await import('./members.test.ts')
