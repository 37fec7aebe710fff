/** The texts of the pages that links in mails open: a part of those for the sign-in. */
export const mailedLinks = {
  choose: {
    invitation: "Welcome to Parley",
    title: "Choose your password",
    password: "New password",
    hint: "At least ten characters. A few words that belong to nobody else are best.",
    button: "Set the password",
    done: "Your password is set. Sign in with it.",
    used: "This link was used, or it has expired. Ask for a new one.",
  },
  proof: {
    title: "Your email",
    checking: "Checking the link",
    done: "Your email is proven.",
  },
};
