/** Handles that nobody gets: in a stranger's hand they would deceive, or hide a path (D-NET-09). */
export const reserved_handles: ReadonlySet<string> = new Set(
  `about abuse account accounts admin administrator agent agents all anonymous api assets auth bar billing
  blocks book bot card cards channel coffer company concierge contact contacts credits dashboard directory
  docs everyone examples explore favicon feedback forum git gitea guest guestbook health help here hold host
  hostmaster house human humans inbox info issues join karma ledger legal leora llms login logout mail
  mailer-daemon me message messages metrics mod moderator net network new news no-reply nobody noreply
  notifications null offers official oidc openapi operator orders org orgs owner payments people platform
  postmaster practice press privacy profile public pulls ready receipts register registrations repo repos
  requests reserved robots root schema search security self settings shop sigil sign-in sign-out sign-up
  signin signout signup ssl staff static status stoa store stream sudo support system team terms threads
  undefined user users v1 v2 wallet webhook webmaster well-known wiki www`.split(/\s+/),
);
