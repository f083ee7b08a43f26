process.env.RUNS ??= '2'
await import('./second-factor-lives.test.ts')
