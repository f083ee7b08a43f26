process.env.RUNS ??= '10'
await import('./approval-lives.test.ts')
