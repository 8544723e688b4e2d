//! A person with a browser: sign up, bid, win, shell, stop, see the bill.
